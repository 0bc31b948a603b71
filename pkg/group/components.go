package group

import "math"

// A Components keeps the best record of each group of records connected by edges. It accepts the
// edges in any order.
type Components struct {
	groups Forest
	equal  Forest    // classes of equal records; nil if equal records need not be similar to the same ones
	olds   uint32    // number of old records, whose ranks come first
	least  []float64 // lowest score of an edge in a group; the index is the root of the group
	direct []float64 // score of the edge between a rank and its root; NaN if there is no such edge
}

// NewComponents returns a Components for ranks below n. The records with the first olds ranks are
// old: each of them is kept. If apart is false, a record has the same edges as each record that it
// has an edge of the score Equal with, although only one of them may be passed to Join.
func NewComponents(n, olds int, apart bool) *Components {
	c := &Components{groups: NewForest(n), olds: uint32(olds), least: make([]float64, n), direct: make([]float64, n)}
	if !apart {
		c.equal = NewForest(n)
	}
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
	if e.Score == Equal && c.equal != nil {
		c.equal.Join(e.Better, e.Worse)
	}
	return nil
}

// class returns the best record that equals a record.
func (c *Components) class(rank uint32) uint32 {
	if c.equal == nil {
		return rank
	}
	return c.equal.Root(rank)
}

// Score must be called with every edge after all calls of Join. It stores the highest score of the
// edges of each class whose better record is kept. Estimated scores of equal records may differ.
func (c *Components) Score(e Edge) error {
	root, a, b := c.groups.Root(e.Worse), c.class(e.Better), c.class(e.Worse)
	if b == root {
		a, b = b, a
	}
	if a == root && !(c.direct[b] >= e.Score) {
		c.direct[b] = e.Score
	}
	return nil
}

// Decide calls emit with the decision on every rank, in ascending order. If none is true, no record
// of a group of new records is kept.
func (c *Components) Decide(none bool, emit func(Decision) error) error {
	var sizes []uint32
	if none {
		sizes = make([]uint32, len(c.groups))
		for i := range c.groups {
			sizes[c.groups.Root(uint32(i))]++
		}
	}
	for i := range c.groups {
		rank := uint32(i)
		root := c.groups.Root(rank)
		d := Decision{Rank: rank, Drop: root != rank && rank >= c.olds, Kept: root, Score: c.direct[c.class(rank)], Least: c.least[root]}
		if c.class(rank) == root { // the record equals its kept record, although the two need not be paired
			d.Score = Equal
		}
		if none && sizes[root] > 1 {
			d.Copies = int64(sizes[root])
			if root >= c.olds {
				d.Drop, d.Kept, d.Score = true, Nobody, math.NaN()
			}
		}
		if err := emit(d); err != nil {
			return err
		}
	}
	return nil
}
