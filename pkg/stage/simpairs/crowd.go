package simpairs

import (
	"math/bits"

	"doppel/pkg/msg"
	"doppel/pkg/simhash"
)

// There are n(n-1)/2 pairs of n equal signatures. With 20,000 equal signatures, the lines of these
// pairs would take 4 GB. More than --hot equal signatures are called a crowd. Each signature of a
// crowd is paired only with the first one, and only the first one takes part in the search. The
// signatures of a crowd still form one connected component.

// A crowd holds the positions of equal signatures in the input.
type crowd struct {
	first uint32
	later []uint32
}

// thinCrowds returns the hashes without the later members of crowds. It also returns the positions
// of these hashes, or nil if it returns all hashes.
func thinCrowds(hashes []simhash.Hash, hot int) (rest []simhash.Hash, kept []uint32, crowds []crowd) {
	counts := countSuspects(hashes, hot)
	if len(counts) == 0 {
		return hashes, nil, nil
	}
	number := map[simhash.Hash]int{} // for each hash, the index of its crowd
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

// countSuspects counts the occurrences of every hash that occurs more often than the given limit,
// and of a few other hashes. A first pass, with at most half a byte of memory per hash, rules out
// most of the others. In most datasets, no hash is left to be counted.
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

// pairFirst pairs the later members of each crowd with the first one, and reports the largest
// crowd.
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

// A limiter leaves out pairs if both members already have many. Of n hashes that differ in few bits,
// any two would otherwise be a pair.
type limiter struct {
	*writer
	hot     int
	counts  []int32 // pairs of each hash, by position
	skipped int64
	example simhash.Pair // the first pair that was left out
}

// write writes a pair, unless both members have hot pairs already.
func (l *limiter) write(p simhash.Pair) error {
	a, b := &l.counts[p.A], &l.counts[p.B]
	if int(*a) >= l.hot && int(*b) >= l.hot {
		if l.skipped++; l.skipped == 1 {
			l.example = p
		}
		return nil
	}
	*a++
	*b++
	return l.writer.write(p)
}

// report prints a note if pairs were left out.
func (l *limiter) report() {
	if l.skipped > 0 {
		l.e.Note("%s left out, such as %s and %s: each of these ids has %s or more (--hot N raises the limit)",
			msg.Number(l.skipped, "pair"), l.id(l.example.A), l.id(l.example.B), msg.Number(int64(l.hot), "pair"))
	}
}
