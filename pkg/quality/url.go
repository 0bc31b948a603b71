package quality

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// urlRatio returns the share of characters that belong to addresses. An address begins with
// http://, https:// or www. and ends before the next white space, < or >, without trailing
// punctuation. A host name such as example.com, which ends with .com, .org, .net, .edu or .gov, is
// also an address.
func urlRatio(t *Text) float64 {
	chars := 0
	for at := 0; ; {
		i := nextSign(t.raw, at)
		if i < 0 {
			return ratio(chars, t.length())
		}
		start, end := i, i+1 // range of the piece, which ends at ASCII white space, < or >
		for start > at && !endsPiece(t.raw[start-1]) {
			start--
		}
		for end < len(t.raw) && !endsPiece(t.raw[end]) {
			end++
		}
		chars += urlChars(t.raw[start:end])
		at = end
	}
}

func endsPiece(c byte) bool { return asciiClass[c] == space || c == '<' || c == '>' }

// nextSign searches b[at:] for a sign of an address. It returns the position in b of the first
// sign, or -1 if there is none. A sign is "://", or a dot that follows "www" or precedes the first
// letter of com, org, net, edu or gov. Most dots that end sentences are not signs, so they are
// skipped quickly.
func nextSign(b []byte, at int) int {
	for from := at; ; {
		dot := bytes.IndexByte(b[from:], '.')
		ahead := b[from:]
		if dot >= 0 {
			ahead = ahead[:dot]
		}
		if i := bytes.Index(ahead, []byte("://")); i >= 0 {
			return from + i
		}
		if dot < 0 {
			return -1
		}
		dot += from
		if dot >= 3 && hasPrefixFold(b[dot-3:dot], "www") {
			return dot
		}
		if from = dot + 1; from < len(b) {
			switch lowerASCII(b[from]) {
			case 'c', 'o', 'n', 'e', 'g':
				return dot
			}
		}
	}
}

// urlChars returns the number of characters of the piece p that belong to addresses.
func urlChars(p []byte) (chars int) {
	for i := 0; i < len(p); {
		n := 0
		if wordBoundary(p, i) {
			n = max(urlLen(p[i:]), domainLen(p[i:]))
		}
		chars += utf8.RuneCount(p[i : i+n])
		i += max(n, 1)
	}
	return chars
}

// urlLen returns the length of the URL at the start of p, or 0.
func urlLen(p []byte) int {
	for _, prefix := range []string{"http://", "https://", "www."} {
		if !hasPrefixFold(p, prefix) {
			continue
		}
		if i := bytes.IndexFunc(p, unicode.IsSpace); i >= 0 {
			p = p[:i]
		}
		if n := len(bytes.TrimRightFunc(p, notNameChar)); n > len(prefix) {
			return n
		}
	}
	return 0
}

// domainLen returns the length of the host name at the start of p. It returns 0 if there is no host
// name, or if the name does not end with .com, .org, .net, .edu or .gov.
func domainLen(p []byte) int {
	n := bytes.IndexFunc(p, notNameChar)
	if n <= 0 {
		return 0
	}
	for _, d := range []string{".com", ".org", ".net", ".edu", ".gov"} {
		if end := n + len(d); hasPrefixFold(p[n:], d) && (end == len(p) || wordBoundary(p, end)) {
			return end
		}
	}
	return 0
}

// wordBoundary reports whether exactly one of p[i] and the character before it is a name
// character.
func wordBoundary(p []byte, i int) bool {
	before, _ := utf8.DecodeLastRune(p[:i])
	after, _ := utf8.DecodeRune(p[i:])
	return notNameChar(before) != notNameChar(after)
}

// notNameChar reports whether r is not a letter, mark, number or underscore.
func notNameChar(r rune) bool {
	if r < utf8.RuneSelf {
		return asciiClass[r] != wordChar && r != '_'
	}
	return r == utf8.RuneError || !unicode.In(r, unicode.L, unicode.M, unicode.N)
}

// hasPrefixFold reports whether p begins with prefix, ignoring the case of ASCII letters. The
// prefix must be in lower case.
func hasPrefixFold(p []byte, prefix string) bool {
	if len(p) < len(prefix) {
		return false
	}
	for i := range len(prefix) {
		if lowerASCII(p[i]) != prefix[i] {
			return false
		}
	}
	return true
}

func lowerASCII(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c |= 0x20
	}
	return c
}
