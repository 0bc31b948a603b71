package line

// A Found is a line in the file of doppel overlap --save. The file lists the windows of test items
// that were found in one shard of the training records. The number of a window is its number in
// overlap.Index. The table shows the meaning of the columns for each kind of line:
//
//	Kind    ID            Count                         Bytes                Windows         Text
//	read    scheme        number of records read        size of their texts
//	common  window        number of records with it
//	record  id of record  offset of Text in its text    size of its text     hits, as below  excerpt
//
// A file has one "read" line, then the "common" lines, then the "record" lines. A "record" line
// lists only windows that have no "common" line.
type Found struct {
	Kind         string
	ID           []byte
	Count, Bytes int64
	Windows      []byte // hits in the form WINDOW:START-END, separated by commas; or nil
	Text         []byte // or nil
}

// The values of Found.Kind.
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
