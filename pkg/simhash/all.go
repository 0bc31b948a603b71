package simhash

import (
	"cmp"
	"io"
	"math/bits"
	"slices"

	"doppel/pkg/par"
)

const (
	rowsAtOnce = 64   // number of hashes that one unit of work compares with all later hashes
	tileWords  = 4096 // number of hashes in a tile; their low words, 32 KiB, stay in the cache while all rows are compared
)

// All compares every hash with every other and emits all pairs within the maximum distance, ordered
// by A and then B. Comparing only the low words rules out most pairs. A comparison takes about 1 ns
// on one goroutine; see BenchmarkAll.
func (s Search) All(hashes []Hash, emit func(Pair) error) error {
	c := &columns{max: s.Max, lo: make([]uint64, len(hashes)), hi: make([]uint64, len(hashes))}
	for i, h := range hashes {
		c.lo[i], c.hi[i] = h.Lo, h.Hi
	}
	row := 0
	next := func() (int, error) {
		if row >= len(hashes) {
			return 0, io.EOF
		}
		row += rowsAtOnce
		return row - rowsAtOnce, nil
	}
	work := func() func(int) []Pair {
		return func(first int) (found []Pair) {
			last := min(first+rowsAtOnce, len(hashes))
			for start := first; start < len(hashes); start += tileWords {
				end := min(start+tileWords, len(hashes))
				for a := first; a < last; a++ {
					found = c.appendPairsOf(found, a, max(start, a+1), end)
				}
			}
			slices.SortFunc(found, func(p, q Pair) int {
				return cmp.Or(cmp.Compare(p.A, q.A), cmp.Compare(p.B, q.B))
			})
			return found
		}
	}
	return par.Ordered(s.Jobs, next, work, func(found []Pair) error {
		for _, p := range found {
			if err := emit(p); err != nil {
				return err
			}
		}
		return nil
	})
}

// columns holds the low and the high words of the hashes in separate slices.
type columns struct {
	max    int
	lo, hi []uint64
}

// appendPairsOf compares the hash at index a with the hashes at the indexes [start, end), and
// appends the pairs within the maximum distance.
func (c *columns) appendPairsOf(found []Pair, a, start, end int) []Pair {
	if start >= end {
		return found
	}
	word := c.lo[a]
	for i, other := range c.lo[start:end] {
		if bits.OnesCount64(word^other) > c.max {
			continue
		}
		b := start + i
		if d := bits.OnesCount64(word^other) + bits.OnesCount64(c.hi[a]^c.hi[b]); d <= c.max {
			found = append(found, Pair{A: uint32(a), B: uint32(b), Distance: uint8(d)})
		}
	}
	return found
}
