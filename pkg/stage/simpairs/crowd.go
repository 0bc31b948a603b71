package simpairs

import (
	"math/bits"

	"doppel/pkg/msg"
	"doppel/pkg/simhash"
)

// n equal signatures have n(n-1)/2 pairs: 20,000 have 4 GB of lines. So in a crowd, which has
// more than --hot signatures, each signature is paired only with the first, which represents all
// of them in the search. They still form one component.

// A crowd holds the positions of equal signatures.
type crowd struct {
	first uint32
	later []uint32
}

// thinCrowds removes all but the first of each crowd from the hashes. kept has the positions
// of the remaining ones, or is nil if all remain.
func thinCrowds(hashes []simhash.Hash, hot int) (rest []simhash.Hash, kept []uint32, crowds []crowd) {
	counts := countSuspects(hashes, hot)
	if len(counts) == 0 {
		return hashes, nil, nil
	}
	number := map[simhash.Hash]int{} // of a crowd
	for i, h := range hashes {
		n, is := number[h]
		switch {
		case counts[h] <= hot:
		case is:
			crowds[n].later = append(crowds[n].later, uint32(i))
			continue
		default:
			number[h] = len(crowds)
			crowds = append(crowds, crowd{first: uint32(i)})
		}
		rest, kept = append(rest, h), append(kept, uint32(i))
	}
	return rest, kept, crowds
}

// countSuspects counts the hashes that may occur more than hot times, after a first look that
// takes a quarter of a byte per hash: most datasets have none.
func countSuspects(hashes []simhash.Hash, hot int) map[simhash.Hash]int {
	if len(hashes) <= hot {
		return nil
	}
	few := make([]uint32, 1<<bits.Len(uint(len(hashes)/16+1<<10)))
	at := func(h simhash.Hash) uint64 {
		return (h.Lo ^ h.Hi) * 0x9e3779b97f4a7c15 >> (64 - bits.Len(uint(len(few)-1)))
	}
	for _, h := range hashes {
		few[at(h)]++
	}
	counts := map[simhash.Hash]int{}
	for _, h := range hashes {
		if int(few[at(h)]) > hot {
			counts[h]++
		}
	}
	return counts
}

// pairFirst writes the pairs of crowds, and reports the largest crowd.
func (w *writer) pairFirst(crowds []crowd) error {
	if len(crowds) == 0 {
		return nil
	}
	largest := crowds[0]
	for _, c := range crowds {
		for _, later := range c.later {
			if err := w.write(simhash.Pair{A: c.first, B: later}); err != nil {
				return err
			}
		}
		if len(c.later) > len(largest.later) {
			largest = c
		}
	}
	w.e.Note("%s of equal simhashes: one has %d ids, such as %q; each id is paired only with the first (--hot %d pairs all)",
		msg.Number(len(crowds), "crowd"), len(largest.later)+1, w.id(largest.first), len(largest.later)+1)
	return nil
}
