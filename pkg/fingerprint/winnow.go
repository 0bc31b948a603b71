package fingerprint

import (
	"math"
	"slices"
)

// A winnower appends the smallest of every length consecutive hashes.
//
// Minima are found as by van Herk (1992) and Gil and Werman (1993): the hashes form blocks of
// the window's length, and the minimum of a window, which spans two blocks, is the minimum of
// a suffix of one block and a prefix of the next. That takes three comparisons per hash, for
// any input and length.
//
// The set has no positions, so it does not matter which of equal minima is chosen; the paper's
// robust winnowing is about that choice.
type winnower struct {
	length int
	// suffix[i] is the minimum of the last block from i on, until the i-th hash of this block
	// replaces it; suffix[length] is a sentinel, the largest value.
	suffix []uint64
	n      int    // hashes in this block
	prefix uint64 // their minimum
	first  bool   // this is the first block: no suffix minima yet
}

// feed appends the minima for the next hashes, which it overwrites.
func (w *winnower) feed(dst, h []uint64) []uint64 {
	for len(h) > 0 {
		n := min(len(h), w.length-w.n)
		if w.first {
			copy(w.suffix[w.n:w.length], h[:n])
			w.prefix = min(w.prefix, slices.Min(h[:n]))
		} else {
			w.minima(h[:n])
			last := ^h[0]
			for _, x := range h[:n] { // one of each run of equal hashes
				if x != last {
					dst = append(dst, x)
					last = x
				}
			}
		}
		if w.n += n; w.n == w.length { // the block is complete and becomes the last one; the first block has its own minimum
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

// minima replaces each hash of a block by the minimum of the length hashes up to it.
func (w *winnower) minima(h []uint64) {
	prefix, suffix := w.prefix, w.suffix[w.n:][:len(h)+1]
	for i, x := range h {
		suffix[i] = x
		prefix = min(prefix, x)
		h[i] = min(prefix, suffix[i+1])
	}
	w.prefix = prefix
}

// finish ends the text. A text too short for a window of hashes has the minimum of its hashes
// as its only fingerprint.
func (w *winnower) finish(dst []uint64) []uint64 {
	if w.first && w.n > 0 {
		dst = append(dst, w.prefix)
	}
	w.n, w.prefix, w.first = 0, math.MaxUint64, true
	return dst
}
