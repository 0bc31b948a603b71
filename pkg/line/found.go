package line

// A Found is a line of doppel overlap --save, which writes the windows of test items found
// in one shard of training records. Windows are numbered as in overlap.Index.
//
//	Kind    ID            Count                         Bytes                Windows         Text
//	read    scheme        number of records read        size of their texts
//	common  window        number of records with it
//	record  id of record  offset of Text in its text    size of its text     hits, as below  excerpt
//
// A file begins with one read line. The common lines follow, then the record lines. A record line
// lists only windows that are not common in the shard.
type Found struct {
	Kind         string
	ID           []byte
	Count, Bytes int64
	Windows      []byte // hits WINDOW:START-END, with commas between them; or nil
	Text         []byte // or nil
}

// The kinds of lines.
const (
	FoundRead   = "read"
	FoundCommon = "common"
	FoundRecord = "record"
)

func (l *Found) columns(c *codec) *codec {
	kind := []byte(l.Kind)
	c.bytes("kind", &kind)
	l.Kind = string(kind)
	c.bytes("id", &l.ID)
	c.int("count", &l.Count)
	c.int("bytes", &l.Bytes)
	c.maybe("windows", &l.Windows)
	c.maybe("text", &l.Text)
	return c
}

func (l Found) Append(dst []byte, f Format) []byte { return l.columns(writer(dst, f)).w.End() }
func (l *Found) Parse(line []byte) error           { return end(l.columns(reader(line)), (*Found).columns) }
