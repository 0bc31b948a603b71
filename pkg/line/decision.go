package line

import (
	"bytes"
	"strconv"

	"doppel/pkg/line/cell"
)

// A Decision is the verdict on a record, with its reason.
type Decision struct {
	Verdict Verdict
	ID      []byte
	Kept    []byte      // id of the record kept instead, or nil
	Score   cell.Number // score of the pair of records, or the value that the rule measured
	Rule    []byte      // one word such as duplicate or score>=0.8, or nil
	Least   cell.Number // lowest score of all pairs in the record's connected component, or absent
	Copies  int64       // number of records in the group of duplicates; 0 if not counted
}

// Reason returns the last column: the rule, then Least and Copies if known, as in
// score>=0.8,least=0.8123,copies=3.
func (d *Decision) Reason() []byte {
	_, known := d.Least.Float()
	if !known && d.Copies == 0 {
		return d.Rule
	}
	text := bytes.Clone(d.Rule)
	if known {
		text = d.Least.Append(append(text, least...))
	}
	if d.Copies > 0 {
		text = strconv.AppendInt(append(text, copies...), d.Copies, 10)
	}
	return text
}

const least, copies = ",least=", ",copies="

// setReason parses the last column, as written by Reason, into Rule, Least and Copies. Anything
// that Reason would not write as Least or Copies stays in the rule.
func (d *Decision) setReason(text []byte) {
	d.Rule, d.Least, d.Copies = text, cell.Number{}, 0
	if bytes.IndexByte(text, ',') < 0 {
		return
	}
	if at := bytes.LastIndex(d.Rule, []byte(copies)); at >= 0 && cell.IsOrdinal(d.Rule[at+len(copies):]) {
		if n, _ := cell.ParseWhole(d.Rule[at+len(copies):]); n > 0 {
			d.Rule, d.Copies = d.Rule[:at], n
		}
	}
	if at := bytes.LastIndex(d.Rule, []byte(least)); at >= 0 && cell.IsNumber(d.Rule[at+len(least):]) {
		if n, ok := cell.ParseNumber(d.Rule[at+len(least):]); ok {
			d.Rule, d.Least = d.Rule[:at], n
		}
	}
}

// A Verdict says whether a record is kept.
type Verdict byte

// The verdicts.
const (
	Keep Verdict = iota
	Drop
)

var verdicts = [...]string{Keep: "keep", Drop: "drop"}

func (v Verdict) String() string { return verdicts[v] }

func (d *Decision) columns(c *codec) *codec {
	if c.mode == writing {
		word := []byte(d.Verdict.String())
		c.bytes("verdict", &word)
	} else {
		word := c.read("verdict")
		d.Verdict = Keep
		if string(word) == verdicts[Drop] {
			d.Verdict = Drop
		} else if word != nil && string(word) != verdicts[Keep] && c.err == nil {
			c.err = &ValueError{"verdict", string(word), ": want keep or drop"}
		}
	}
	c.bytes("id", &d.ID)
	c.maybe("kept", &d.Kept)
	c.number("score", &d.Score)
	var reason []byte
	if c.mode == writing {
		reason = d.Reason()
	}
	if c.maybe("reason", &reason); c.mode != writing {
		d.setReason(reason)
	}
	return c
}

func (d Decision) Append(dst []byte, f Format) []byte { return d.columns(writer(dst, f)).w.End() }
func (d *Decision) Parse(line []byte) error           { return end(d.columns(reader(line)), (*Decision).columns) }
