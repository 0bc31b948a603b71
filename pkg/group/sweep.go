package group

import "doppel/pkg/spill"

// A Sweep says how many records Greedy would drop at each of some thresholds, by
// one pass over the edges: a record has a bit for each threshold, which is set
// where it is kept, and an edge takes the bits away at which it counts and the better
// one is kept. It holds 12 bytes a record, and sorts as Greedy does.
type Sweep struct {
	edges
	thresholds []float64
	kept       []uint64
}

// MostThresholds is how many thresholds a Sweep has at most.
const MostThresholds = 64

// NewSweep returns a Sweep for ranks below n and for thresholds in ascending order,
// above 0, that holds mem bytes of edges.
func NewSweep(n int, mem int64, thresholds []float64) *Sweep {
	return &Sweep{newEdges(n, mem), thresholds, make([]uint64, n)}
}

// Add adds an edge.
func (s *Sweep) Add(e Edge) error {
	if e.Score < s.thresholds[0] {
		return nil
	}
	return s.add(e)
}

// Drops returns how many records are dropped at each threshold.
func (s *Sweep) Drops() ([]int64, error) {
	for i := range s.kept {
		s.kept[i] = 1<<len(s.thresholds) - 1 // at 64 all bits
	}
	var room spill.Room[[2]uint64]
	for p := range partitions {
		edges, err := s.sorter.SortedIn(&room, p)
		if err != nil {
			return nil, err
		}
		for _, x := range edges {
			e := edge(x)
			reached := uint64(0) // the bits of the thresholds that the score reaches
			for i, t := range s.thresholds {
				if e.Score >= t {
					reached |= 1 << i
				}
			}
			s.kept[e.Worse] &^= s.kept[e.Better] & reached
		}
	}
	drops := make([]int64, len(s.thresholds))
	for rank, bits := range s.kept {
		if s.equal.Root(uint32(rank)) != uint32(rank) { // of equal records all but one are dropped
			bits = 0
		}
		for i := range drops {
			drops[i] += int64(^bits >> i & 1)
		}
	}
	return drops, s.sorter.Close()
}
