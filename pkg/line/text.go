package line

// A Text is the text of a record that was taken out of its dataset.
type Text struct{ ID, Text []byte }

func (t *Text) columns(c *codec) {
	c.bytes("id", &t.ID)
	c.bytes("text", &t.Text)
}

// Append appends the line of t to dst.
func (t Text) Append(dst []byte, f Format) []byte {
	c := writer(dst, f)
	t.columns(&c)
	return c.w.End()
}

// Parse reads a line.
func (t *Text) Parse(line []byte) error {
	c := reader(line)
	t.columns(&c)
	return end(&c, (*Text).columns)
}

// A PairOfTexts is a pair that carries its texts with it, as join makes of a pair
// and two Texts.
type PairOfTexts struct {
	Pair
	TextA, TextB []byte
}

func (p *PairOfTexts) columns(c *codec) {
	p.Pair.columns(c)
	c.bytes("text_a", &p.TextA)
	c.bytes("text_b", &p.TextB)
}

// Append appends the line of p to dst.
func (p PairOfTexts) Append(dst []byte, f Format) []byte {
	c := writer(dst, f)
	p.columns(&c)
	return c.w.End()
}

// Parse reads a line.
func (p *PairOfTexts) Parse(line []byte) error {
	c := reader(line)
	p.columns(&c)
	return end(&c, (*PairOfTexts).columns)
}
