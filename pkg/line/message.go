package line

// A Message is the line for one message in a group of copies and similar messages.
type Message struct {
	Group    int64  // number of the group, from 1
	Verdict  []byte // keep, copy or similar
	Reason   []byte // why it is or is not a copy; nil for the first message of a group
	Distance int64  // number of bits in which the sum differs from the sum of the group's first message
	Name     []byte
	ID       []byte // Message-ID, nil if the message has none
	Subject  []byte // nil if the message has none
}

func (m *Message) columns(c *codec) *codec {
	c.int("group", &m.Group)
	c.bytes("verdict", &m.Verdict)
	c.maybe("reason", &m.Reason)
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

// A Sum is the line that fuzzysum writes for a message. Some fields exist only in JSON.
type Sum struct {
	Sum   []byte // hex digits
	ID    []byte // nil for standard input
	Kind  []byte // fuzzy, text or counts; this field and those below are only in JSON
	Words int64
}

func (s *Sum) columns(c *codec) *codec {
	c.bytes("sum", &s.Sum)
	c.restOptional()
	c.maybe("id", &s.ID)
	if c.json() {
		c.bytes("kind", &s.Kind)
		c.int("words", &s.Words)
	}
	return c
}

func (s Sum) Append(dst []byte, f Format) []byte { return s.columns(writer(dst, f)).w.End() }

// Parse parses a line. Only the column with the sum is required.
func (s *Sum) Parse(line []byte) error {
	*s = Sum{}
	return end(s.columns(reader(line)), (*Sum).columns)
}
