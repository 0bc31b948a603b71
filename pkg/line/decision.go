package line

import (
	"fmt"

	"doppel/pkg/line/cell"
)

// A Decision says what becomes of a record, and why.
type Decision struct {
	Verdict Verdict
	ID      []byte
	Kept    []byte      // the id of the record that is kept instead, or nil
	Score   cell.Number // of the two, or of the rule
	Reason  []byte      // one word, or nil
}

// A Verdict is what becomes of a record.
type Verdict byte

// The verdicts.
const (
	Keep Verdict = iota
	Drop
)

var verdicts = [...]string{Keep: "keep", Drop: "drop"}

func (v Verdict) String() string { return verdicts[v] }

func (d *Decision) columns(c *codec) *codec {
	c.verdict(&d.Verdict)
	c.bytes("id", &d.ID)
	c.maybe("kept", &d.Kept)
	c.number("score", &d.Score)
	c.maybe("reason", &d.Reason)
	return c
}

func (c *codec) verdict(v *Verdict) {
	if c.mode == writing {
		word := []byte(v.String())
		c.bytes("verdict", &word)
		return
	}
	word := c.read("verdict")
	*v = Keep
	switch {
	case word == nil || string(word) == verdicts[Keep]:
	case string(word) == verdicts[Drop]:
		*v = Drop
	case c.err == nil:
		c.err = fmt.Errorf("verdict %q: want keep or drop", word)
	}
}

// Append appends the line of d to dst.
func (d Decision) Append(dst []byte, f Format) []byte { return d.columns(writer(dst, f)).w.End() }

// Parse reads a line.
func (d *Decision) Parse(line []byte) error { return end(d.columns(reader(line)), (*Decision).columns) }
