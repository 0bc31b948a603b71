package recfilter

import (
	"bytes"
	"encoding/json"
	"fmt"

	"doppel/pkg/wording"
)

// counts are what --stats writes.
type counts struct {
	Records int64            `json:"records"`
	Kept    int64            `json:"kept"`
	Dropped int64            `json:"dropped"`
	Unread  int64            `json:"unread,omitempty"` // bad records, under -k
	Reasons map[string]int64 `json:"reasons"`
}

func (c *counts) add(v verdict) {
	c.Records++
	if v.reason == "" {
		c.Kept++
		return
	}
	c.Dropped++
	c.Reasons[v.reason]++
}

// check returns an error if a record is missing.
func (c *counts) check(read int64) error {
	if c.Records+c.Unread != read || c.Kept+c.Dropped != c.Records {
		return fmt.Errorf("%s read, but %d kept and %d dropped", wording.Number(read, "record"), c.Kept, c.Dropped)
	}
	return nil
}

// AppendJSON appends the counts as an object.
func (c *counts) AppendJSON(dst []byte) []byte {
	b := bytes.NewBuffer(dst)
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false) // reasons hold < and >
	enc.Encode(c)
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'})
}
