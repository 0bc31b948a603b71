package group

import "doppel/pkg/spill"

// A Sweep counts how many records Greedy would drop at each of several thresholds, in one pass
// over the edges: a record has a bit per threshold, set if the record is kept. An edge clears
// a bit of the worse record if its score reaches that threshold and the better record is kept
// there. Sweep holds 12 bytes per record, and sorts like Greedy.
type Sweep struct {
	edges
	thresholds []float64
	kept       []uint64
}

// MostThresholds is the maximum number of thresholds of a Sweep.
const MostThresholds = 64

// NewSweep returns a Sweep for ranks below n and for ascending thresholds above 0; it holds mem
// bytes of edges in memory.
func NewSweep(n int, mem int64, thresholds []float64) *Sweep {
	return &Sweep{newEdges(n, mem), thresholds, make([]uint64, n)}
}

// Add adds an edge.
func (s *Sweep) Add(e Edge) error {
	if e.Score < s.thresholds[0] {
		return nil
	}
	return s.addEdge(e)
}

// Drops returns the number of dropped records at each threshold.
func (s *Sweep) Drops() ([]int64, error) {
	for i := range s.kept {
		s.kept[i] = 1<<len(s.thresholds) - 1 // shifting by 64 gives all bits
	}
	var room spill.Room[[2]uint64]
	for p := range partitions {
		edges, err := s.sorter.SortedIn(&room, p)
		if err != nil {
			return nil, err
		}
		for _, x := range edges {
			e := decodeEdge(x)
			reached := uint64(0) // bits of the thresholds that the score reaches
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
		if s.equal.Root(uint32(rank)) != uint32(rank) { // all but one of equal records are dropped
			bits = 0
		}
		for i := range drops {
			drops[i] += int64(^bits >> i & 1)
		}
	}
	return drops, s.sorter.Close()
}
