package line

// A Pair holds the ids of two records that may be duplicates. Parse reads the pair at the start of
// a line. The rest of the line may have any form.
type Pair struct{ A, B []byte }

func (p *Pair) columns(c *codec) *codec {
	c.bytes("a", &p.A)
	c.bytes("b", &p.B)
	return c
}

func (p Pair) Append(dst []byte, f Format) []byte { return p.columns(writer(dst, f)).w.End() }
func (p *Pair) Parse(line []byte) error           { return end(p.columns(reader(line)), (*Pair).columns) }

// A PairCount is a pair of records and the number of keys that they share.
type PairCount struct {
	Pair
	Shared int64
}

func (p *PairCount) columns(c *codec) *codec {
	p.Pair.columns(c)
	c.int("shared", &p.Shared)
	return c
}

func (p PairCount) Append(dst []byte, f Format) []byte { return p.columns(writer(dst, f)).w.End() }

func (p *PairCount) Parse(line []byte) error {
	return end(p.columns(reader(line)), (*PairCount).columns)
}

// A Score is a pair with its score. If the score is an estimate, the line has no other columns. If
// the score was computed from all shingles, the line also has the containments and the sizes. A
// further column marks pairs of records with different values of recsign --across. Parse
// reads a line of any kind that starts with a pair and a score.
type Score struct {
	Pair
	Score                      float64
	Sized                      bool    // the fields below are set
	ContainmentA, ContainmentB float64 // share of a record's shingles that the other record has too
	SizeA, SizeB               int64
	Apart                      bool // the records have different values of recsign --across
}

// apart is the value of the column pairing of a pair of records with different values.
const apart = "apart"

func (s *Score) columns(c *codec) *codec {
	s.Pair.columns(c)
	c.float("score", &s.Score)
	if s.Sized = c.hasColumns(s.Sized, "containment_a", 4); s.Sized {
		c.sizes(&s.ContainmentA, &s.ContainmentB, &s.SizeA, &s.SizeB)
	}
	if c.hasColumns(s.Apart, "pairing", 1) {
		pairing := []byte(apart)
		c.bytes("pairing", &pairing)
		s.Apart = string(pairing) == apart
	}
	return c
}

func (c *codec) sizes(inA, inB *float64, a, b *int64) {
	c.float("containment_a", inA)
	c.float("containment_b", inB)
	c.int("size_a", a)
	c.int("size_b", b)
}

func (s Score) Append(dst []byte, f Format) []byte { return s.columns(writer(dst, f)).w.End() }

func (s *Score) Parse(line []byte) error {
	*s = Score{}
	return end(s.columns(reader(line)), (*Score).columns)
}

// A Distance is a pair with the Hamming distance of its SimHash signatures.
type Distance struct {
	Pair
	Score    float64 // share of equal bits
	Distance int64   // number of bits that differ
}

func (d *Distance) columns(c *codec) *codec {
	d.Pair.columns(c)
	c.float("score", &d.Score)
	c.int("distance", &d.Distance)
	return c
}

func (d Distance) Append(dst []byte, f Format) []byte { return d.columns(writer(dst, f)).w.End() }
func (d *Distance) Parse(line []byte) error           { return end(d.columns(reader(line)), (*Distance).columns) }

// A SampleScore is a pair with its score from sampled fingerprints.
type SampleScore struct {
	Pair
	Score                      float64
	ContainmentA, ContainmentB float64
	SizeA, SizeB               int64
	Shared                     int64   // number of fingerprints that both records have
	Low, High                  float64 // 95% confidence interval of the score
}

func (s *SampleScore) columns(c *codec) *codec {
	s.Pair.columns(c)
	c.float("score", &s.Score)
	c.sizes(&s.ContainmentA, &s.ContainmentB, &s.SizeA, &s.SizeB)
	c.int("shared", &s.Shared)
	c.float("low", &s.Low)
	c.float("high", &s.High)
	return c
}

func (s SampleScore) Append(dst []byte, f Format) []byte { return s.columns(writer(dst, f)).w.End() }

func (s *SampleScore) Parse(line []byte) error {
	return end(s.columns(reader(line)), (*SampleScore).columns)
}
