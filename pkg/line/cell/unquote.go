package cell

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf8"

	"doppel/pkg/record/jsonstr"
)

// Unquote returns the value of what stands between the quotes of a JSON string,
// whose escapes are known to be good: a part of it where nothing is escaped, else new
// memory. It undoes [AppendJSON].
func Unquote(text []byte) ([]byte, error) {
	n := bytes.IndexByte(text, '\\')
	if n < 0 {
		return text, nil
	}
	value := make([]byte, 0, len(text))
	for ; n >= 0; n = bytes.IndexByte(text, '\\') {
		var err error
		if value, text, err = appendUnquoted(append(value, text[:n]...), text[n:]); err != nil {
			return nil, err
		}
	}
	return append(value, text...), nil
}

// appendUnquoted appends what the escape at the start of the text stands for, and
// returns what follows it.
func appendUnquoted(dst, text []byte) (_, rest []byte, err error) {
	value, rest := jsonstr.UnescapeOne(dst, text[1:])
	if r, _ := utf8.DecodeRune(value[len(dst):]); r != utf8.RuneError {
		return value, rest, nil
	}
	code, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	switch {
	case code == utf8.RuneError:
		return value, rest, err
	case code < 0xdc80 || code > 0xdcff:
		return dst, nil, fmt.Errorf("%s is half a character", text[:6])
	}
	return append(dst, byte(code)), rest, err
}
