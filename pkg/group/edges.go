package group

import (
	"math"

	"doppel/pkg/spill"
)

// edges collects the edges between unequal records. Once all edges have been added, it sorts them
// by their worse record.
type edges struct {
	equal  Forest
	sorter *spill.Sorter[[2]uint64]
	ranks  uint64 // number of ranks
	olds   uint32 // number of old records, whose ranks come first
}

func newEdges(n, olds int, mem int64) edges {
	return edges{NewForest(n), spill.NewSorter[[2]uint64](partitions, mem), uint64(n), uint32(olds)}
}

// Join puts the two records of an edge into one group of equal records if the edge's score is
// Equal. All edges must be passed to Join before the first is passed to Add.
func (s *edges) Join(e Edge) error {
	if e.Score == Equal {
		s.equal.Join(e.Better, e.Worse)
	}
	return nil
}

// addEdge replaces each record of an edge with the best record that equals it, and adds the
// resulting edge, unless both ends are then the same record.
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
