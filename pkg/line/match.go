package line

// A Match is a substring shared by two texts. Offsets and sizes are all in code points or
// all in bytes.
type Match struct {
	A, B         []byte // the names of the texts
	StartA, EndA int64
	StartB, EndB int64
	Text         []byte
	Size         int64
	Numbered     bool // the fields below are set; they are line numbers, from 1
	FirstA       int64
	LastA        int64
	FirstB       int64
	LastB        int64
}

func (m *Match) columns(c *codec) *codec {
	c.bytes("1.filename", &m.A)
	c.bytes("2.filename", &m.B)
	c.int("1.startOffset", &m.StartA)
	c.int("1.endOffset", &m.EndA)
	c.int("2.startOffset", &m.StartB)
	c.int("2.endOffset", &m.EndB)
	c.bytes("text", &m.Text)
	c.int("size", &m.Size)
	if m.Numbered = c.hasColumns(m.Numbered, "1.startLine", 4); m.Numbered {
		c.int("1.startLine", &m.FirstA)
		c.int("1.endLine", &m.LastA)
		c.int("2.startLine", &m.FirstB)
		c.int("2.endLine", &m.LastB)
	}
	return c
}

func (m Match) Append(dst []byte, f Format) []byte { return m.columns(writer(dst, f)).w.End() }

func (m *Match) Parse(line []byte) error {
	*m = Match{}
	return end(m.columns(reader(line)), (*Match).columns)
}

// An Overlap summarizes all passages shared by two texts.
type Overlap struct {
	Pair
	Passages       int64
	SharedA        int64 // number of code points or bytes of the first text that are in a passage
	SharedB        int64
	ShareA, ShareB float64 // share of each text that is in a passage
}

func (o *Overlap) columns(c *codec) *codec {
	o.Pair.columns(c)
	c.int("passages", &o.Passages)
	c.int("shared_a", &o.SharedA)
	c.int("shared_b", &o.SharedB)
	c.float("share_a", &o.ShareA)
	c.float("share_b", &o.ShareB)
	return c
}

func (o Overlap) Append(dst []byte, f Format) []byte { return o.columns(writer(dst, f)).w.End() }
func (o *Overlap) Parse(line []byte) error           { return end(o.columns(reader(line)), (*Overlap).columns) }
