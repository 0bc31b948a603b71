package line

// A Text is the text of a record that was taken out of its dataset.
type Text struct{ ID, Text []byte }

func (t *Text) columns(c *codec) *codec {
	c.bytes("id", &t.ID)
	c.bytes("text", &t.Text)
	return c
}

// Append appends the line of t to dst.
func (t Text) Append(dst []byte, f Format) []byte { return t.columns(writer(dst, f)).w.End() }

// Parse reads a line.
func (t *Text) Parse(line []byte) error { return end(t.columns(reader(line)), (*Text).columns) }

// A PairOfTexts is a pair that carries its texts with it, as join makes of a pair
// and two Texts; no tool writes one.
type PairOfTexts struct {
	Pair
	TextA, TextB []byte
}

func (p *PairOfTexts) columns(c *codec) *codec {
	p.Pair.columns(c)
	c.bytes("text_a", &p.TextA)
	c.bytes("text_b", &p.TextB)
	return c
}

// Parse reads a line.
func (p *PairOfTexts) Parse(line []byte) error {
	return end(p.columns(reader(line)), (*PairOfTexts).columns)
}
