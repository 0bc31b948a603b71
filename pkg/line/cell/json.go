package cell

import (
	"encoding/binary"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// AppendJSON appends v as a JSON string. A byte that is not UTF-8 becomes the
// lone surrogate U+DC00 + byte, so that nothing is lost; Python's
// surrogateescape reads it back, and so do the types here.
func AppendJSON(dst, v []byte) []byte {
	dst = append(dst, '"')
	for {
		n := verbatim(v)
		dst = append(dst, v[:n]...)
		if n == len(v) {
			return append(dst, '"')
		}
		dst = appendEscape(dst, v[n])
		v = v[n+1:]
	}
}

// verbatim returns how many bytes at the start stand for themselves in a JSON
// string.
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

// bare is verbatim for what is ASCII. See [Plain].
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

// appendEscape appends a byte that does not stand for itself.
func appendEscape(dst []byte, c byte) []byte {
	switch {
	case c == '"':
		return append(dst, '\\', c)
	case escapes[c] != 0:
		return append(dst, '\\', escapes[c])
	case c < ' ':
		return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
	}
	return append(dst, '\\', 'u', 'd', 'c', hexDigits[c>>4], hexDigits[c&15])
}
