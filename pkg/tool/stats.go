package tool

import "fmt"

// Stats are what a run counted.
type Stats interface {
	AppendJSON(dst []byte) []byte
}

// Counts are how many records were kept and dropped, and their sum; of how many of
// the kept parts were cut; and how many could not be read.
type Counts struct{ Kept, Dropped, Cut, Unread int64 }

// AppendJSON appends the counts as an object.
func (c Counts) AppendJSON(dst []byte) []byte {
	dst = fmt.Appendf(dst, `{"records":%d,"kept":%d,"dropped":%d`, c.Kept+c.Dropped, c.Kept, c.Dropped)
	if c.Cut > 0 {
		dst = fmt.Appendf(dst, `,"cut":%d`, c.Cut)
	}
	if c.Unread > 0 {
		dst = fmt.Appendf(dst, `,"unread":%d`, c.Unread)
	}
	return append(dst, '}')
}

// WriteStats writes what was counted as a line to the named file, if one is
// named; it is compressed and put in its place as other outputs are.
func (e *Env) WriteStats(name string, s Stats) error {
	if name == "" {
		return nil
	}
	w, err := e.Create(name)
	if err != nil {
		return err
	}
	_, err = w.Write(append(s.AppendJSON(nil), '\n'))
	return err
}
