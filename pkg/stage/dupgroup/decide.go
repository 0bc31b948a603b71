package dupgroup

import (
	"strconv"

	"doppel/pkg/group"
	"doppel/pkg/line"
	"doppel/pkg/stage/lines"
	"doppel/pkg/stage/pairs"
	"doppel/pkg/tool"
)

// The policies are the ways to decide.
const (
	Greedy     = "greedy"
	Components = "components"
)

var policies = map[string]func(*scores, []uint32, *Writer) error{
	Greedy:     greedy,
	Components: components,
}

func greedy(s *scores, order []uint32, w *Writer) error {
	g := group.NewGreedy(s.ids.Len(), int64(w.e.Mem))
	if err := s.twice(order, g.Join, g.Add); err != nil {
		return err
	}
	return g.Decide(w.Write)
}

func components(s *scores, order []uint32, w *Writer) error {
	c := group.NewComponents(s.ids.Len())
	w.least = true
	if err := s.twice(order, c.Join, c.Score); err != nil {
		return err
	}
	return c.Decide(w.Write)
}

// A Writer writes decisions, in rank order.
type Writer struct {
	e      *tool.Env
	names  pairs.Ranks
	format line.Format
	drop   string // why a record is dropped
	least  bool   // and the lowest score of any pair in its component

	id, kept, reason, text []byte
}

// NewWriter returns a writer of decisions on the records of these ranks.
func NewWriter(e *tool.Env, o *Options, names pairs.Ranks) *Writer {
	w := &Writer{e: e, names: names, format: lines.Format(e), drop: "duplicate"}
	if o.Cut > 0 {
		w.drop = "score>=" + strconv.FormatFloat(o.Cut, 'g', -1, 64)
	}
	return w
}

// Write writes a decision.
func (w *Writer) Write(d group.Decision) error {
	w.id = w.names.Append(w.id[:0], d.Rank)
	l := line.Decision{Verdict: line.Keep, ID: w.id, Reason: []byte("best")}
	if d.Drop {
		w.kept = w.names.Append(w.kept[:0], d.Kept)
		w.reason = w.because(w.reason[:0], d)
		l = line.Decision{Verdict: line.Drop, ID: w.id, Kept: w.kept, Score: line.Float(d.Score), Reason: w.reason}
	}
	w.text = l.Append(w.text[:0], w.format)
	_, err := w.e.Out.Write(w.text)
	return err
}

// because appends the reason of a drop.
func (w *Writer) because(dst []byte, d group.Decision) []byte {
	dst = append(dst, w.drop...)
	if w.least {
		dst = strconv.AppendFloat(append(dst, ",least="...), d.Least, 'f', 4, 64)
	}
	return dst
}
