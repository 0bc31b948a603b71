package sample

import (
	"math"
	"slices"
)

// A winnower appends the least of every length consecutive hashes.
//
// Minima are found as van Herk (1992) and Gil and Werman (1993) do: the
// hashes fall into blocks of the window's length, and a window, which spans
// two of them, has the least of a suffix of one and a prefix of the next.
// That is three comparisons a hash, whatever the input and whatever the length.
//
// The set has no use for positions, so it does not matter which of equal
// minima is taken, the point of the paper's robust winnowing.
type winnower struct {
	length int
	// suffix[i] is the least hash of the last block from i on, until the i-th
	// of this block takes its place; suffix[length] is no hash at all.
	suffix []uint64
	n      int    // hashes in this block
	prefix uint64 // the least of them
	first  bool   // there is no last block
}

// feed takes the next hashes, which it overwrites.
func (w *winnower) feed(dst, h []uint64) []uint64 {
	for len(h) > 0 {
		n := min(len(h), w.length-w.n)
		if w.first {
			copy(w.suffix[w.n:w.length], h[:n])
			w.prefix = min(w.prefix, slices.Min(h[:n]))
		} else {
			w.minima(h[:n])
			last := ^h[0]
			for _, x := range h[:n] { // of each run of equal ones one
				if x != last {
					dst = append(dst, x)
					last = x
				}
			}
		}
		if w.n += n; w.n == w.length { // this block is the last one now; the first has its own least hash
			if w.first {
				dst = append(dst, w.prefix)
			}
			least := uint64(math.MaxUint64)
			for i := w.length - 1; i >= 0; i-- {
				least = min(least, w.suffix[i])
				w.suffix[i] = least
			}
			w.n, w.prefix, w.first = 0, math.MaxUint64, false
		}
		h = h[n:]
	}
	return dst
}

// minima replaces hashes, of one block, by the least of the length up to each.
func (w *winnower) minima(h []uint64) {
	prefix, suffix := w.prefix, w.suffix[w.n:][:len(h)+1]
	for i, x := range h {
		suffix[i] = x
		prefix = min(prefix, x)
		h[i] = min(prefix, suffix[i+1])
	}
	w.prefix = prefix
}

// finish ends the text: one too short to fill a window of hashes is known by
// the least of those it has.
func (w *winnower) finish(dst []uint64) []uint64 {
	if w.first && w.n > 0 {
		dst = append(dst, w.prefix)
	}
	w.n, w.prefix, w.first = 0, math.MaxUint64, true
	return dst
}
