package group

import "math"

// A Components keeps the best record of each group of records connected by edges. It accepts the
// edges in any order.
type Components struct {
	groups Forest
	least  []float64 // lowest score of an edge in a group; the index is the root of the group
	direct []float64 // score of the edge between a rank and its root; NaN if there is no such edge
}

// NewComponents returns a Components for ranks below n.
func NewComponents(n int) *Components {
	c := &Components{groups: NewForest(n), least: make([]float64, n), direct: make([]float64, n)}
	for i := range n {
		c.least[i], c.direct[i] = math.Inf(1), math.NaN()
	}
	return c
}

// Join merges the groups of the edge's two records.
func (c *Components) Join(e Edge) error {
	least := min(c.least[c.groups.Root(e.Better)], c.least[c.groups.Root(e.Worse)], e.Score)
	root := c.groups.Join(e.Better, e.Worse)
	c.least[root] = least
	return nil
}

// Score must be called with every edge after all calls of Join. It stores the scores of edges whose
// better record is kept.
func (c *Components) Score(e Edge) error {
	if c.groups.Root(e.Worse) == e.Better {
		c.direct[e.Worse] = e.Score
	}
	return nil
}

// Decide calls emit with the decision on every rank, in ascending order.
func (c *Components) Decide(emit func(Decision) error) error {
	for i := range c.groups {
		rank := uint32(i)
		root := c.groups.Root(rank)
		d := Decision{Rank: rank, Drop: root != rank, Kept: root, Score: c.direct[i], Least: c.least[root]}
		if d.Least == Equal { // all records of the group are equal, although not all are paired
			d.Score = Equal
		}
		if err := emit(d); err != nil {
			return err
		}
	}
	return nil
}
