package line

import (
	"bytes"
	"fmt"
	"strconv"
)

// A Decision says what becomes of a record, and why.
type Decision struct {
	Verdict Verdict
	ID      []byte
	Kept    []byte // the id of the record that is kept instead, or nil
	Score   Number // of the two, or of the rule
	Reason  []byte // one word, or nil
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

func (d *Decision) columns(c *codec) {
	c.verdict(&d.Verdict)
	c.bytes("id", &d.ID)
	c.maybe("kept", &d.Kept)
	c.number("score", &d.Score)
	c.maybe("reason", &d.Reason)
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
func (d Decision) Append(dst []byte, f Format) []byte {
	c := writer(dst, f)
	d.columns(&c)
	return c.w.End()
}

// Parse reads a line.
func (d *Decision) Parse(line []byte) error {
	c := reader(line)
	d.columns(&c)
	return end(&c, (*Decision).columns)
}

// A Bound is a reason that holds what was measured against a limit, as in
// score>=0.8 or length<50.
type Bound struct {
	Name  string // of what was measured
	Op    string // one of < <= > >=
	Limit float64
}

// Append appends the bound to dst as it stands in a reason.
func (b Bound) Append(dst []byte) []byte {
	return strconv.AppendFloat(append(append(dst, b.Name...), b.Op...), b.Limit, 'g', -1, 64)
}

// ParseBound reads the bound at the start of a reason; what follows a comma is
// passed over. Ok is false for a reason that has none.
func ParseBound(reason []byte) (b Bound, ok bool) {
	reason, _, _ = bytes.Cut(reason, []byte{','})
	at := bytes.IndexAny(reason, "<>")
	if at <= 0 {
		return b, false
	}
	end := at + 1
	if bytes.HasPrefix(reason[end:], []byte{'='}) {
		end++
	}
	limit, err := strconv.ParseFloat(string(reason[end:]), 64)
	return Bound{string(reason[:at]), string(reason[at:end]), limit}, err == nil
}
