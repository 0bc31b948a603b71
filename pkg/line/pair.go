package line

// A Pair is two ids, of records that may be alike. Parse reads a line of any kind
// that begins with a pair.
type Pair struct{ A, B []byte }

func (p *Pair) columns(c *codec) *codec {
	c.bytes("a", &p.A)
	c.bytes("b", &p.B)
	return c
}

// Append appends the line of p to dst.
func (p Pair) Append(dst []byte, f Format) []byte { return p.columns(writer(dst, f)).w.End() }

// Parse reads a line.
func (p *Pair) Parse(line []byte) error { return end(p.columns(reader(line)), (*Pair).columns) }

// A PairCount is a pair and the number of keys in both.
type PairCount struct {
	Pair
	Shared int64
}

func (p *PairCount) columns(c *codec) *codec {
	p.Pair.columns(c)
	c.int("shared", &p.Shared)
	return c
}

// Append appends the line of p to dst.
func (p PairCount) Append(dst []byte, f Format) []byte { return p.columns(writer(dst, f)).w.End() }

// Parse reads a line.
func (p *PairCount) Parse(line []byte) error {
	return end(p.columns(reader(line)), (*PairCount).columns)
}
