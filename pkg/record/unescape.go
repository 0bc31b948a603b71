package record

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

func hasEscape(s []byte) bool { return bytes.IndexByte(s, '\\') >= 0 }

// appendUnescaped appends the content of a checked JSON string, without its
// quotes. A lone surrogate becomes U+FFFD, as in encoding/json.
func appendUnescaped(dst, s []byte) []byte {
	for {
		n := bytes.IndexByte(s, '\\')
		if n < 0 {
			return append(dst, s...)
		}
		dst = append(dst, s[:n]...)
		dst, s = appendEscape(dst, s[n+1:])
	}
}

// short holds what the one-letter escapes stand for.
var short = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// appendEscape appends what the escape means whose letter s begins with, and
// returns what follows it.
func appendEscape(dst, s []byte) (_, rest []byte) {
	if s[0] != 'u' {
		return append(dst, short[s[0]]), s[1:]
	}
	r, s := hex4(s[1:]), s[5:]
	if utf16.IsSurrogate(r) {
		if len(s) >= 6 && s[0] == '\\' && s[1] == 'u' {
			if pair := utf16.DecodeRune(r, hex4(s[2:])); pair != utf8.RuneError {
				return utf8.AppendRune(dst, pair), s[6:]
			}
		}
		r = utf8.RuneError
	}
	return utf8.AppendRune(dst, r), s
}

func hex4(s []byte) (r rune) {
	for _, c := range s[:4] {
		r = r<<4 | rune(unhex(c))
	}
	return r
}

func unhex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}
