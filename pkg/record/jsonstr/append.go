package jsonstr

import (
	"fmt"
	"unicode/utf8"
)

// Append appends a value as a JSON string. A byte b that is not part of valid UTF-8 becomes
// the lone surrogate U+DC00+b, as in the JSON lines that the tools print.
func Append(dst, v []byte) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(v); {
		r, n := utf8.DecodeRune(v[i:])
		switch c := v[i]; {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, `\n`...)
		case c < ' ' || c == 0x7f:
			dst = fmt.Appendf(dst, `\u%04x`, c)
		case r == utf8.RuneError && n == 1:
			dst = fmt.Appendf(dst, `\u%04x`, 0xdc00+int(c))
		default:
			dst = append(dst, v[i:i+n]...)
		}
		i += n
	}
	return append(dst, '"')
}
