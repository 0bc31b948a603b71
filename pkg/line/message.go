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

func (m Message) Append(dst []byte, f Format) []byte { return m.columns(writer(dst, f)).w.End() }

func (m *Message) Parse(line []byte) error {
	*m = Message{}
	return end(m.columns(reader(line)), (*Message).columns)
}

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

func (s Sum) Append(dst []byte, f Format) []byte { return s.columns(writer(dst, f)).w.End() }

// Parse reads a line. The sum alone will do.
func (s *Sum) Parse(line []byte) error {
	*s = Sum{}
	return end(s.columns(reader(line)), (*Sum).columns)
}
