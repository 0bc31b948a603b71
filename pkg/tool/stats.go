package tool

// Counts holds the counts of a run, as --stats writes them. Numbers that the run does not count are 0.
type Counts struct {
	Pairs   *Pairs           `json:"-"` // nil if the run compares no pairs
	Kept    int64            `json:"kept"`
	Dropped int64            `json:"dropped"`
	Cut     int64            `json:"cut,omitempty"`     // number of kept records from which passages were removed
	Missing int64            `json:"missing,omitempty"` // number of records that --missing drop dropped
	Unread  int64            `json:"unread,omitempty"`  // number of records that could not be read
	Reasons map[string]int64 `json:"reasons,omitzero"`  // numbers of dropped records, by reason; nil if there are no reasons
}

// Pairs holds numbers of candidate pairs.
type Pairs struct {
	Candidates int64 `json:"candidates"` // number of pairs found
	Verified   int64 `json:"verified"`   // number of pairs compared
}

// Read returns the number of records that could be read.
func (c *Counts) Read() int64 { return c.Kept + c.Dropped + c.Missing }
