package line

import (
	"bytes"
	"slices"
)

// A Signature is the line that recsign writes for a record.
type Signature struct {
	ID     []byte
	Scheme []byte // one word that determines every parameter, such as exact/xxh3-128/text/none
	Body   []byte // in the format of the scheme; schemes.Empty for a text without content

	// Sketch replaces Body for a MinHash signature that does not leave the process. Each slot is
	// truncated to the number of bits that the scheme states. If Sketch is nil, Body is set.
	Sketch []uint32
	Digest uint64 // digest of the shingle set; valid if Sketch is not nil

	// Value limits comparisons to records with the same value or with different values, as the
	// scheme says. In a line, its 16 hex digits follow the body and a dot. Value is nil if the
	// scheme has no such limit.
	Value []byte
}

func (s *Signature) columns(c *codec) *codec {
	c.bytes("id", &s.ID)
	c.bytes("scheme", &s.Scheme)
	c.bytes("signature", &s.Body)
	return c
}

func (s Signature) Append(dst []byte, f Format) []byte {
	if s.Value != nil {
		s.Body = slices.Concat(s.Body, []byte{'.'}, s.Value)
	}
	return s.columns(writer(dst, f)).w.End()
}

func (s *Signature) Parse(line []byte) error {
	if err := end(s.columns(reader(line)), (*Signature).columns); err != nil {
		return err
	}
	if s.Value = nil; bytes.Contains(s.Scheme, []byte("/within=")) || bytes.Contains(s.Scheme, []byte("/across=")) {
		s.Body, s.Value, _ = bytes.Cut(s.Body, []byte{'.'})
	}
	return nil
}

// A Text is the text of a record, extracted from its dataset.
type Text struct{ ID, Text []byte }

func (t *Text) columns(c *codec) *codec {
	c.bytes("id", &t.ID)
	c.bytes("text", &t.Text)
	return c
}

func (t Text) Append(dst []byte, f Format) []byte { return t.columns(writer(dst, f)).w.End() }
func (t *Text) Parse(line []byte) error           { return end(t.columns(reader(line)), (*Text).columns) }

// A TextWithin is a Text that is compared only with texts whose Value is equal.
type TextWithin struct {
	Text
	Value []byte
}

func (t *TextWithin) columns(c *codec) *codec {
	t.Text.columns(c)
	c.bytes("value", &t.Value)
	return c
}

func (t TextWithin) Append(dst []byte, f Format) []byte { return t.columns(writer(dst, f)).w.End() }
func (t *TextWithin) Parse(line []byte) error {
	return end(t.columns(reader(line)), (*TextWithin).columns)
}
