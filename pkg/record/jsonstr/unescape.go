package jsonstr

import (
	"bytes"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// Unescape decodes s, the content of a valid JSON string without its quotes, and appends the result
// to dst. A lone surrogate becomes the three bytes that UTF-8 would encode it in (WTF-8), so that
// different texts stay different.
func Unescape(dst, s []byte) []byte {
	dst = slices.Grow(dst, len(s)) // an escape is never shorter than its character
	for {
		dst, s = copyBlocks(dst, s)
		n := bytes.IndexByte(s, '\\')
		if n < 0 {
			return append(dst, s...)
		}
		dst = append(dst, s[:n]...)
		dst, s = UnescapeOne(dst, s[n+1:])
		for len(s) > 0 && s[0] == '\\' { // consecutive escapes, as in text with all letters escaped
			dst, s = UnescapeOne(dst, s[1:])
		}
	}
}

// UnescapeOne appends the character of a valid escape to dst. s starts with the byte after the
// backslash; rest is s without the escape.
func UnescapeOne(dst, s []byte) (_, rest []byte) {
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
		return append(dst, byte(0xe0|r>>12), byte(0x80|r>>6&0x3f), byte(0x80|r&0x3f)), s
	}
	return utf8.AppendRune(dst, r), s
}

// Hex returns the value of a hexadecimal digit, or a negative number.
func Hex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}
