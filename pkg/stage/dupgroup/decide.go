package dupgroup

import (
	"doppel/pkg/group"
)

// The policies are the ways to decide.
const (
	Greedy     = "greedy"
	Components = "components"
)

var policies = map[string]func(s *scores, ranks []uint32, w *Writer) error{
	Greedy:     greedy,
	Components: components,
}

func greedy(s *scores, ranks []uint32, w *Writer) error {
	g := group.NewGreedy(s.IDs.Len(), int64(w.e.Mem))
	if err := s.Each(ranks, g.Join, g.Add); err != nil {
		return err
	}
	return g.Decide(w.Write)
}

func components(s *scores, ranks []uint32, w *Writer) error {
	c := group.NewComponents(s.IDs.Len())
	w.least = true
	if err := s.Each(ranks, c.Join, c.Score); err != nil {
		return err
	}
	return c.Decide(w.Write)
}
