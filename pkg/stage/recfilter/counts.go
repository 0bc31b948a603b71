package recfilter

import (
	"bytes"
	"encoding/json"
	"fmt"

	"doppel/pkg/tool"
	"doppel/pkg/wording"
)

// counts are what --stats writes.
type counts struct {
	tool.Counts
	reasons map[string]int64
}

func (c *counts) add(v verdict) {
	if v.reason == "" {
		c.Kept++
		return
	}
	c.Dropped++
	c.reasons[v.reason]++
}

// check returns an error if a record is missing.
func (c *counts) check(read int64) error {
	if c.Kept+c.Dropped+c.Unread != read {
		return fmt.Errorf("%s read, but %d kept and %d dropped", wording.Number(read, "record"), c.Kept, c.Dropped)
	}
	return nil
}

// Total returns the counts with the reasons.
func (c *counts) Total() tool.Counts {
	all := c.Counts
	all.Reasons = c.reasons
	return all
}

// AppendJSON appends the counts as an object.
func (c *counts) AppendJSON(dst []byte) []byte {
	dst = bytes.TrimSuffix(c.Counts.AppendJSON(dst), []byte{'}'})
	b := bytes.NewBuffer(append(dst, `,"reasons":`...))
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false) // reasons hold < and >
	enc.Encode(c.reasons)
	return append(bytes.TrimSuffix(b.Bytes(), []byte{'\n'}), '}')
}
