package cell

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// IsEscape reports whether a text begins with an escape.
func IsEscape(text []byte) bool {
	_, ok := codeUnit(text)
	return ok || len(text) > 1 && letters[text[1]] != 0
}

// Unquote returns the value of what stands between the quotes of a JSON string,
// whose escapes are known to be good: a part of it where nothing is escaped, else new memory. It undoes [AppendJSON].
func Unquote(text []byte) ([]byte, error) {
	n := bytes.IndexByte(text, '\\')
	if n < 0 {
		return text, nil
	}
	value := make([]byte, 0, len(text))
	for ; n >= 0; n = bytes.IndexByte(text, '\\') {
		var size int
		var err error
		value = append(value, text[:n]...)
		if value, size, err = appendUnquoted(value, text[n:]); err != nil {
			return nil, err
		}
		text = text[n+size:]
	}
	return append(value, text...), nil
}

// letters holds what each letter behind a backslash stands for.
var letters = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// appendUnquoted appends what the escape at the start of the text stands for,
// and returns its length.
func appendUnquoted(dst, text []byte) ([]byte, int, error) {
	if len(text) > 1 && letters[text[1]] != 0 {
		return append(dst, letters[text[1]]), 2, nil
	}
	r, _ := codeUnit(text)
	if !utf16.IsSurrogate(r) {
		return utf8.AppendRune(dst, r), 6, nil
	}
	if low, ok := codeUnit(text[6:]); ok {
		if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
			return utf8.AppendRune(dst, both), 12, nil
		}
	}
	if r < 0xdc80 || r > 0xdcff {
		return dst, 0, fmt.Errorf("%s is half a character", text[:6])
	}
	return append(dst, byte(r)), 6, nil
}

// codeUnit returns the number of an escape such as \u00e9.
func codeUnit(text []byte) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	return rune(n), err == nil
}
