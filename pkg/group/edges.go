package group

import (
	"math"

	"doppel/pkg/spill"
)

// edges collects the edges between records that are not equal, and sorts them by the worse
// record once all are added.
type edges struct {
	equal  Forest
	sorter *spill.Sorter[[2]uint64]
	ranks  uint64 // number of ranks
}

func newEdges(n int, mem int64) edges {
	return edges{NewForest(n), spill.NewSorter[[2]uint64](partitions, mem), uint64(n)}
}

// Join joins the two records if the edge says that they are equal. All edges must go through
// Join before the first goes through Add.
func (s *edges) Join(e Edge) error {
	if e.Score == Equal {
		s.equal.Join(e.Better, e.Worse)
	}
	return nil
}

// addEdge adds an edge between the roots of two groups of equal records.
func (s *edges) addEdge(e Edge) error {
	a, b := s.equal.Root(e.Better), s.equal.Root(e.Worse)
	if a == b {
		return nil
	}
	worse := uint64(max(a, b))
	return s.sorter.Add(int(worse*partitions/s.ranks), [2]uint64{worse<<32 | uint64(min(a, b)), math.Float64bits(e.Score)})
}

func decodeEdge(e [2]uint64) Edge {
	return Edge{Worse: uint32(e[0] >> 32), Better: uint32(e[0]), Score: math.Float64frombits(e[1])}
}

const partitions = 256
