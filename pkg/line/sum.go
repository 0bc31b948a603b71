package line

// A Sum is what fuzzysum writes of a message. An object tells more of it.
type Sum struct {
	Sum   []byte // hex digits
	ID    []byte // nil for standard input
	Kind  []byte // fuzzy, text or counts; from here on in objects only
	Words int64
}

func (s *Sum) columns(c *codec) *codec {
	c.bytes("sum", &s.Sum)
	c.optional()
	c.maybe("id", &s.ID)
	if c.json() {
		c.bytes("kind", &s.Kind)
		c.int("words", &s.Words)
	}
	return c
}

// Append appends the line of s to dst.
func (s Sum) Append(dst []byte, f Format) []byte { return s.columns(writer(dst, f)).w.End() }

// Parse reads a line. The sum alone will do.
func (s *Sum) Parse(line []byte) error {
	*s = Sum{}
	return end(s.columns(reader(line)), (*Sum).columns)
}
