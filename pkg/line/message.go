package line

// A Message is one of a group of messages that are near one another.
type Message struct {
	Group    int64 // the number of the group, from 1
	Distance int64 // in bits, from the sum of the first message of the group
	Name     []byte
	ID       []byte // its Message-ID, nil if it has none
	Subject  []byte // nil if it has none
}

func (m *Message) columns(c *codec) *codec {
	c.int("group", &m.Group)
	c.int("distance", &m.Distance)
	c.bytes("name", &m.Name)
	c.maybe("message_id", &m.ID)
	c.maybe("subject", &m.Subject)
	return c
}

// Append appends the line of m to dst.
func (m Message) Append(dst []byte, f Format) []byte { return m.columns(writer(dst, f)).w.End() }

// Parse reads a line.
func (m *Message) Parse(line []byte) error {
	*m = Message{}
	return end(m.columns(reader(line)), (*Message).columns)
}
