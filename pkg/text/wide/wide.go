// Package wide reads texts in UTF-16.
package wide

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// A Text is a text in UTF-16, with its byte order mark.
type Text struct {
	bytes []byte
	order binary.ByteOrder
}

// MarkSize is the size in bytes of a byte order mark.
const MarkSize = 2

// HasMark reports whether content begins with a byte order mark of UTF-16.
func HasMark(content []byte) bool {
	return bytes.HasPrefix(content, []byte("\xff\xfe")) || bytes.HasPrefix(content, []byte("\xfe\xff"))
}

// Parse reports whether content is a UTF-16 text: it begins with a byte order mark, and all that
// follows are complete characters other than NUL. Most other content that happens to begin with
// these bytes has a NUL or half a surrogate pair, or an odd number of bytes.
func Parse(content []byte) (t Text, ok bool) {
	if t.bytes = content; len(content)%2 != 0 || !HasMark(content) {
		return Text{}, false
	}
	if t.order = binary.LittleEndian; content[0] == 0xfe {
		t.order = binary.BigEndian
	}
	for at := MarkSize; at < len(content); {
		r, n := t.Next(at)
		if r == 0 || r == utf8.RuneError && t.unit(at) != utf8.RuneError {
			return Text{}, false
		}
		at += n
	}
	return t, true
}

// unit returns the 16 bits at an offset.
func (t Text) unit(at int) rune { return rune(t.order.Uint16(t.bytes[at:])) }

// Size returns the size of the text in bytes.
func (t Text) Size() int { return len(t.bytes) }

// Next returns the character at an offset, and its size in bytes. The offset must be even and less
// than the size of the text. Half a surrogate pair is returned as U+FFFD.
func (t Text) Next(at int) (r rune, size int) {
	r = t.unit(at)
	if !utf16.IsSurrogate(r) {
		return r, 2
	}
	if at+2 < len(t.bytes) {
		if r = utf16.DecodeRune(r, t.unit(at+2)); r != utf8.RuneError {
			return r, 4
		}
	}
	return utf8.RuneError, 2
}

// Append appends the characters between two offsets to dst, in UTF-8, without the byte order mark.
func (t Text) Append(dst []byte, start, end int) []byte {
	for at := max(start, MarkSize); at < end; {
		r, n := t.Next(at)
		dst = utf8.AppendRune(dst, r)
		at += n
	}
	return dst
}

// ToUTF8 returns a UTF-16 text in UTF-8, without its byte order mark, and other content unchanged.
func ToUTF8(content []byte) []byte {
	if t, ok := Parse(content); ok {
		return t.Append(nil, 0, len(content))
	}
	return content
}
