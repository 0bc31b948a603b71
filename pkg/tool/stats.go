package tool

import "fmt"

// Stats are the counts of a run.
type Stats interface {
	AppendJSON(dst []byte) []byte
	Total() Counts
}

// Counts are numbers of records. A stage sets those it knows.
type Counts struct {
	Kept, Dropped int64
	Cut           int64 // kept records that lost parts
	Unread        int64 // could not be read

	Candidates, Verified int64            // candidate pairs, and how many were compared
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

// WriteStats writes the counts as a line to the named file, if any; the file is compressed
// and put in place like other outputs.
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
