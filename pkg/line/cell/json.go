package cell

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strconv"
	"unicode/utf8"

	"doppel/pkg/record/jsonstr"
)

const hexDigits = "0123456789abcdef"

// AppendJSON appends v to dst as a JSON string. A byte that is not UTF-8 becomes the lone
// surrogate U+DC00 + byte. Python's surrogateescape and [Unquote] restore the byte.
func AppendJSON(dst, v []byte) []byte {
	dst = append(dst, '"')
	for {
		n := verbatim(v)
		dst = append(dst, v[:n]...)
		if n == len(v) {
			return append(dst, '"')
		}
		switch c := v[n]; {
		case c == '"':
			dst = append(dst, '\\', c)
		case escapes[c] != 0:
			dst = append(dst, '\\', escapes[c])
		case c < ' ':
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		default:
			dst = append(dst, '\\', 'u', 'd', 'c', hexDigits[c>>4], hexDigits[c&15])
		}
		v = v[n+1:]
	}
}

// verbatim returns the number of leading bytes that need no escape in a JSON string.
func verbatim(v []byte) int {
	n := bare(v)
	for n < len(v) && v[n] >= utf8.RuneSelf {
		r, size := utf8.DecodeRune(v[n:])
		if r == utf8.RuneError && size == 1 {
			return n
		}
		if n += size; n < len(v) && v[n] < utf8.RuneSelf {
			n += bare(v[n:])
		}
	}
	return n
}

// bare returns the number of leading ASCII bytes that need no escape. See [Plain] for the
// method.
func bare(v []byte) int {
	n := 0
	for ; n+8 <= len(v); n += 8 {
		x := binary.LittleEndian.Uint64(v[n:])
		quote, backslash := x^'"'*ones, x^'\\'*ones
		if (x|(x-' '*ones)|(quote-ones)|(backslash-ones))&highs != 0 {
			break
		}
	}
	for ; n < len(v) && v[n] >= ' ' && v[n] < utf8.RuneSelf && v[n] != '"' && v[n] != '\\'; n++ {
	}
	return n
}

// Unquote returns the value of a JSON string, given the text between its quotes. All escape
// sequences in the text must be valid JSON. The value is part of text if nothing is escaped,
// otherwise new memory. Unquote undoes [AppendJSON].
func Unquote(text []byte) ([]byte, error) {
	n := bytes.IndexByte(text, '\\')
	if n < 0 {
		return text, nil
	}
	value := make([]byte, 0, len(text))
	for ; n >= 0; n = bytes.IndexByte(text, '\\') {
		value = append(value, text[:n]...)
		escape := text[n:]
		before := len(value)
		value, text = jsonstr.UnescapeOne(value, escape[1:])
		if r, _ := utf8.DecodeRune(value[before:]); r != utf8.RuneError {
			continue
		}
		code, err := strconv.ParseUint(string(escape[2:6]), 16, 16)
		switch {
		case err != nil:
			return nil, err
		case code == utf8.RuneError:
		case code < 0xdc80 || code > 0xdcff:
			return nil, fmt.Errorf("invalid escape %s: half of a surrogate pair", escape[:6])
		default:
			value = append(value[:before], byte(code))
		}
	}
	return append(value, text...), nil
}
