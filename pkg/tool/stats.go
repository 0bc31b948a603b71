package tool

import "fmt"

// Stats are the counts that a run writes with WriteStats.
type Stats interface {
	AppendJSON(dst []byte) []byte
	Total() Counts
}

// Counts holds numbers of records and of candidate pairs. Numbers that the stage does not count are
// 0.
type Counts struct {
	Kept, Dropped int64
	Cut           int64 // number of kept records from which passages were removed
	Unread        int64 // number of records that could not be read
	Missing       int64 // number of records that --missing drop dropped

	Candidates, Verified int64            // number of candidate pairs found, and number compared
	Reasons              map[string]int64 // numbers of dropped records, by reason
}

// Read returns the number of records that could be read.
func (c Counts) Read() int64 { return c.Kept + c.Dropped + c.Missing }

// Total implements Stats.
func (c Counts) Total() Counts { return c }

// AppendJSON appends the numbers of records as a JSON object. Cut, Missing and Unread are left out if
// 0.
func (c Counts) AppendJSON(dst []byte) []byte {
	dst = fmt.Appendf(dst, `{"records":%d,"kept":%d,"dropped":%d`, c.Read(), c.Kept, c.Dropped)
	if c.Cut > 0 {
		dst = fmt.Appendf(dst, `,"cut":%d`, c.Cut)
	}
	if c.Missing > 0 {
		dst = fmt.Appendf(dst, `,"missing":%d`, c.Missing)
	}
	if c.Unread > 0 {
		dst = fmt.Appendf(dst, `,"unread":%d`, c.Unread)
	}
	return append(dst, '}')
}
