package dupgroup

import (
	"fmt"
	"math"

	"doppel/pkg/group"
	"doppel/pkg/ids"
	"doppel/pkg/tool"
	"doppel/pkg/tsv"
)

// policies are the ways to decide.
var policies = map[string]func(*scored, []uint32, *writer) error{
	"greedy":     greedy,
	"components": components,
}

func greedy(s *scored, order []uint32, w *writer) error {
	g := group.NewGreedy(s.ids.Len(), int64(s.e.Mem))
	if err := s.twice(order, g.Join, g.Add); err != nil {
		return err
	}
	return g.Decide(w.write)
}

func components(s *scored, order []uint32, w *writer) error {
	c := group.NewComponents(s.ids.Len())
	if err := s.twice(order, c.Join, c.Score); err != nil {
		return err
	}
	return c.Decide(w.write)
}

// twice hands all pairs as edges to one function and then to the other.
func (s *scored) twice(order []uint32, first, second func(group.Edge) error) error {
	ranks := ids.Ranks(order)
	if err := s.each(ranks, first); err != nil {
		return err
	}
	return s.each(ranks, second)
}

// A writer writes decisions, in rank order.
type writer struct {
	e      *tool.Env
	ids    *ids.List
	order  []uint32
	reason string // of a drop
	enc    tsv.Encoder
	line   []byte
}

func newWriter(e *tool.Env, o *options, s *scored, order []uint32) *writer {
	w := &writer{e: e, ids: &s.ids.List, order: order, reason: "duplicate", enc: tsv.Encoder{Stream: tsv.Decisions, JSON: e.JSON}}
	if o.cutting {
		w.reason = fmt.Sprintf("score>=%g", o.cut)
	}
	if o.policy == "components" {
		w.reason += ",least="
	}
	return w
}

func (w *writer) write(d group.Decision) error {
	verdict := "keep"
	if d.Drop {
		verdict = "drop"
	}
	w.enc.Begin(w.line[:0])
	w.enc.Word(verdict)
	w.id(d.Rank)
	switch {
	case !d.Drop:
		w.enc.None()
		w.enc.None()
		w.enc.Word("best")
	default:
		w.id(d.Kept)
		w.score(d.Score)
		w.enc.Word(w.because(d))
	}
	w.line = w.enc.End()
	_, err := w.e.Out.Write(w.line)
	return err
}

func (w *writer) id(rank uint32) {
	if w.order != nil {
		rank = w.order[rank]
	}
	w.enc.Bytes(w.ids.Append(nil, int(rank)))
}

func (w *writer) score(v float64) {
	if math.IsNaN(v) {
		w.enc.None()
		return
	}
	w.enc.Float(v)
}

// because returns the reason of a drop; in a component it ends with the
// lowest score of any pair in it.
func (w *writer) because(d group.Decision) string {
	if w.reason[len(w.reason)-1] != '=' {
		return w.reason
	}
	return w.reason + fmt.Sprintf("%.4f", d.Least)
}
