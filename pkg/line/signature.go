package line

// A Signature is what recsign writes of a record.
type Signature struct {
	ID     []byte
	Scheme []byte // one word that fixes every parameter, as in exact/xxh3-128/text/none
	Body   []byte // as the scheme has it; schemes.Empty for a text without content

	// Sketch is the body of a minhash that stays in this process: the slots, cut to the
	// bits of the scheme. Nil: there is only Body.
	Sketch []uint32
	Digest uint64 // of the set, beside Sketch
}

func (s *Signature) columns(c *codec) *codec {
	c.bytes("id", &s.ID)
	c.bytes("scheme", &s.Scheme)
	c.bytes("signature", &s.Body)
	return c
}

// Append appends the line of s to dst.
func (s Signature) Append(dst []byte, f Format) []byte { return s.columns(writer(dst, f)).w.End() }

// Parse reads a line.
func (s *Signature) Parse(line []byte) error {
	return end(s.columns(reader(line)), (*Signature).columns)
}
