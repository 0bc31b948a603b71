package line

// A Match is a substring that two texts share. Offsets and sizes are in code
// points, or in bytes.
type Match struct {
	A, B         []byte // the names of the texts
	StartA, EndA int64
	StartB, EndB int64
	Text         []byte
	Size         int64
}

func (m *Match) columns(c *codec) {
	c.bytes("1.filename", &m.A)
	c.bytes("2.filename", &m.B)
	c.int("1.startOffset", &m.StartA)
	c.int("1.endOffset", &m.EndA)
	c.int("2.startOffset", &m.StartB)
	c.int("2.endOffset", &m.EndB)
	c.bytes("text", &m.Text)
	c.int("size", &m.Size)
}

// Append appends the line of m to dst.
func (m Match) Append(dst []byte, f Format) []byte {
	c := writer(dst, f)
	m.columns(&c)
	return c.w.End()
}

// Parse reads a line.
func (m *Match) Parse(line []byte) error {
	c := reader(line)
	m.columns(&c)
	return end(&c, (*Match).columns)
}
