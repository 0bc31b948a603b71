package group

import (
	"math"

	"doppel/pkg/spill"
)

// edges are those between records that are not equal, sorted by the worse one when all
// have come.
type edges struct {
	equal  Forest
	sorter *spill.Sorter[[2]uint64]
	ranks  uint64 // how many there are
}

func newEdges(n int, mem int64) edges {
	return edges{NewForest(n), spill.NewSorter[[2]uint64](partitions, mem), uint64(n)}
}

// Join notes that two records are equal if the edge says so. All edges must
// have been through Join before the first goes through Add.
func (s *edges) Join(e Edge) error {
	if e.Score == Equal {
		s.equal.Join(e.Better, e.Worse)
	}
	return nil
}

// add adds an edge between the first ones of two groups of equal records.
func (s *edges) add(e Edge) error {
	a, b := s.equal.Root(e.Better), s.equal.Root(e.Worse)
	if a == b {
		return nil
	}
	worse := uint64(max(a, b))
	return s.sorter.Add(int(worse*partitions/s.ranks), [2]uint64{worse<<32 | uint64(min(a, b)), math.Float64bits(e.Score)})
}

// edge undoes what add makes of an edge for the sort.
func edge(e [2]uint64) Edge {
	return Edge{Worse: uint32(e[0] >> 32), Better: uint32(e[0]), Score: math.Float64frombits(e[1])}
}

const partitions = 256
