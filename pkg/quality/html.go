package quality

import "bytes"

// htmlTags is the number of tags: a <, then a letter, /letter, ! or ?, and a >
// behind it before the next <. So "a < b and c > d" has none. (fastdedup takes
// any two angle brackets in this order for a tag.)
func htmlTags(t *Text) float64 {
	tags := 0
	for b := t.raw; ; {
		i := bytes.IndexByte(b, '<')
		if i < 0 {
			return count(tags)
		}
		b = b[i+1:]
		if startsTag(b) && closed(b) {
			tags++
		}
	}
}

// startsTag reports whether b can follow the < of a tag.
func startsTag(b []byte) bool {
	if len(b) > 0 && b[0] == '/' {
		b = b[1:]
	} else if len(b) > 0 && (b[0] == '!' || b[0] == '?') {
		return true
	}
	return len(b) > 0 && isASCIILetter(b[0])
}

// closed reports whether a > comes before the next <.
func closed(b []byte) bool {
	if i := bytes.IndexByte(b, '<'); i >= 0 {
		b = b[:i]
	}
	return bytes.IndexByte(b, '>') >= 0
}

func isASCIILetter(c byte) bool {
	c |= 0x20
	return 'a' <= c && c <= 'z'
}
