package group

import "doppel/pkg/spill"

// A Sweep counts how many records Greedy would drop at each of several thresholds, in one pass over
// the edges. Each record has a bit per threshold, which is set if the record is kept at that
// threshold. An edge drops its worse record at each threshold that is at most the edge's score, if
// the better record is kept at that threshold. A Sweep needs 12 bytes per record, and sorts edges
// in the same way as Greedy.
type Sweep struct {
	edges
	thresholds []float64
	kept       []uint64
}

// MostThresholds is the maximum number of thresholds of a Sweep, which stores one bit per threshold
// in a 64-bit word.
const MostThresholds = 64

// NewSweep returns a Sweep for ranks below n and for ascending thresholds above 0. The records with
// the first olds ranks are old: each of them is kept. NewSweep keeps up to mem bytes of edges in
// memory.
func NewSweep(n, olds int, mem int64, thresholds []float64) *Sweep {
	return &Sweep{newEdges(n, olds, mem), thresholds, make([]uint64, n)}
}

// Add stores an edge for Drops. Every edge must have been passed to Join before the first call of
// Add.
func (s *Sweep) Add(e Edge) error {
	if e.Score < s.thresholds[0] {
		return nil
	}
	return s.addEdge(e)
}

// Drops returns the number of records dropped at each threshold. It may be called only once.
func (s *Sweep) Drops() ([]int64, error) {
	for i := range s.kept {
		s.kept[i] = 1<<len(s.thresholds) - 1 // for 64 thresholds, 1<<64 is 0, so all bits are set
	}
	var room spill.Room[[2]uint64]
	for p := range partitions {
		edges, err := s.sorter.SortedIn(&room, p)
		if err != nil {
			return nil, err
		}
		for _, x := range edges {
			e := decodeEdge(x)
			if e.Worse < s.olds {
				continue
			}
			reached := uint64(0) // a bit for each threshold that the score reaches
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
		if rank >= int(s.olds) && s.equal.Root(uint32(rank)) != uint32(rank) { // equal records are dropped, except for the best
			bits = 0
		}
		for i := range drops {
			drops[i] += int64(^bits >> i & 1)
		}
	}
	return drops, s.sorter.Close()
}
