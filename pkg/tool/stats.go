package tool

import "fmt"

// Stats are what a run counted.
type Stats interface {
	AppendJSON(dst []byte) []byte
	Total() Counts
}

// Counts are numbers of records. A stage sets those that it knows.
type Counts struct {
	Kept, Dropped int64
	Cut           int64 // of the kept records, those of which parts were cut
	Unread        int64 // that could not be read

	Candidates, Verified int64            // pairs that share a key, and those that were compared
	Reasons              map[string]int64 // dropped records by reason
}

// Total returns the counts.
func (c Counts) Total() Counts { return c }

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
	e.Counted = s
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
