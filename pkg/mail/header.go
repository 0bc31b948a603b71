// Package mail splits an mbox into messages and a message into its header and body, and
// extracts from a MIME message the text that a mail reader shows.
//
// Messages are untrusted and often malformed, so no message causes an error. Truncated, mislabelled
// or too deeply nested messages are read as far as possible, and text that cannot be decoded is
// left unchanged. Parsing takes time and memory proportional to the size of the message.
package mail

import (
	"bytes"
	"iter"
)

// A Header is the header of a message as returned by [Split]: its fields, unchanged, with their
// line ends.
type Header []byte

// Split returns the header and the body of a message. A byte order mark and an envelope line that
// starts with "From " are left out. An envelope line that is quoted (">From ") may be anywhere in the
// header. Any other line that is neither a field nor the continuation of one ends the header and
// belongs to the body.
func Split(message []byte) (Header, []byte) {
	message = trimBOM(message)
	if bytes.HasPrefix(message, from) {
		message = message[lineLen(message):]
	}
	for at := 0; at < len(message); {
		n := lineLen(message[at:])
		switch line := message[at : at+n]; {
		case len(bytes.TrimRight(line, "\r\n")) == 0:
			return message[:at], message[at+n:]
		case !(at > 0 && isContinuation(line)) && fieldName(line) == nil && !bytes.HasPrefix(line, []byte(">From ")):
			return message[:at], message[at:]
		}
		at += n
	}
	return message, nil
}

// All yields the name and the raw value of each field. The value is everything after the
// colon, including line ends.
func (h Header) All() iter.Seq2[[]byte, []byte] {
	return func(yield func(name, value []byte) bool) {
		for rest := []byte(h); len(rest) > 0; {
			n := lineLen(rest)
			for n < len(rest) && isContinuation(rest[n:]) {
				n += lineLen(rest[n:])
			}
			if name := fieldName(rest); name != nil && !yield(name, rest[bytes.IndexByte(rest, ':')+1:n]) {
				return
			}
			rest = rest[n:]
		}
	}
}

// Get returns the value of the first field with the given name, ignoring case, or nil if there is
// no such field. It replaces each run of white space in the value with one space, and removes white
// space at both ends.
func (h Header) Get(name string) []byte {
	for n, value := range h.All() {
		if bytes.EqualFold(n, []byte(name)) {
			return bytes.Join(bytes.Fields(value), []byte(" "))
		}
	}
	return nil
}

// Values returns the values of all fields with the given name, in the form of Get.
func (h Header) Values(name string) (all [][]byte) {
	for n, value := range h.All() {
		if bytes.EqualFold(n, []byte(name)) {
			all = append(all, bytes.Join(bytes.Fields(value), []byte(" ")))
		}
	}
	return all
}

// Decoded returns the value of a field with its encoded words (RFC 2047) decoded.
func Decoded(value []byte) []byte { return decodeWords(value) }

// lineLen returns the length of the first line of text, including its LF.
func lineLen(text []byte) int {
	if n := bytes.IndexByte(text, '\n'); n >= 0 {
		return n + 1
	}
	return len(text)
}

func isContinuation(line []byte) bool { return line[0] == ' ' || line[0] == '\t' }

// fieldName returns the name of the field at the start of line, or nil if line does not start
// with a field. Blanks may precede the colon.
func fieldName(line []byte) []byte {
	n := 0
	for n < len(line) && ' ' < line[n] && line[n] < 0x7f && line[n] != ':' {
		n++
	}
	if n == 0 || !bytes.HasPrefix(bytes.TrimLeft(line[n:], " \t"), []byte(":")) {
		return nil
	}
	return line[:n]
}

// trimBOM returns a text without the byte order mark of UTF-8 at its start.
func trimBOM(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\ufeff")) }

// Subject returns the value of the first Subject field on one line, with encoded words (RFC 2047)
// decoded. It returns nil if there is no such field.
func (h Header) Subject() []byte { return decodeWords(h.Get("Subject")) }

// Plain returns the outputs of these two commands for a message:
//
//	(formail -x Subject: | cut -c2-71; formail -I "")
//
// The first output consists of the lines of all Subject fields, each without its first byte and cut
// to 70 bytes, followed by an empty line. The second output is the unchanged body.
func Plain(message []byte) (subject, body []byte) {
	header, body := Split(message)
	for name, value := range header.All() {
		if !bytes.EqualFold(name, []byte("Subject")) {
			continue
		}
		for line := range bytes.Lines(value) {
			line = bytes.TrimSuffix(line, []byte("\n"))
			if len(line) > 0 {
				subject = append(subject, line[1:min(len(line), 71)]...)
			}
			subject = append(subject, '\n')
		}
	}
	return append(subject, '\n'), body
}
