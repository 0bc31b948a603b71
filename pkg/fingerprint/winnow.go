package fingerprint

import (
	"math"
	"slices"
)

// A winnower slides a window over the hashes of a text, and selects the smallest hash in each
// window.
//
// The winnower finds minima with the method of van Herk (1992) and Gil and Werman (1993). The
// hashes are divided into blocks of the same length as a window. A window spans two blocks, so its
// minimum is the smaller of the minima of a suffix of one block and a prefix of the next. The
// method takes three comparisons per hash, for any input and length.
//
// A set of fingerprints has no positions, so it does not matter which of several equal minima is
// chosen. Robust winnowing, a variant from the winnowing paper, differs only in which one it
// chooses.
type winnower struct {
	length int
	// suffix[i] is the minimum of the previous block from index i on, until the i-th hash of the
	// current block replaces it. suffix[length] is a sentinel, math.MaxUint64.
	suffix []uint64
	n      int    // number of hashes in the current block
	prefix uint64 // minimum of the hashes in the current block
	first  bool   // whether the current block is the first, so that there are no suffix minima yet
}

// feed processes h, the next hashes of the text. For each window that ends at one of these hashes,
// feed appends the minimum to dst, but it may omit a minimum that equals the previous one. It
// overwrites h.
func (w *winnower) feed(dst, h []uint64) []uint64 {
	for len(h) > 0 {
		n := min(len(h), w.length-w.n)
		if w.first {
			copy(w.suffix[w.n:w.length], h[:n])
			w.prefix = min(w.prefix, slices.Min(h[:n]))
		} else {
			w.minima(h[:n])
			last := ^h[0]
			for _, x := range h[:n] { // skip consecutive equal minima
				if x != last {
					dst = append(dst, x)
					last = x
				}
			}
		}
		if w.n += n; w.n == w.length { // the block is complete; if it is the first, it is also the first window
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

// minima replaces each hash of h with the minimum of the window that ends at this hash. All hashes
// of h are in the current block.
func (w *winnower) minima(h []uint64) {
	prefix, suffix := w.prefix, w.suffix[w.n:][:len(h)+1]
	for i, x := range h {
		suffix[i] = x
		prefix = min(prefix, x)
		h[i] = min(prefix, suffix[i+1])
	}
	w.prefix = prefix
}

// finish ends the text and prepares w for the next text. A text with fewer hashes than w.length has
// one fingerprint, the minimum of its hashes.
func (w *winnower) finish(dst []uint64) []uint64 {
	if w.first && w.n > 0 {
		dst = append(dst, w.prefix)
	}
	w.n, w.prefix, w.first = 0, math.MaxUint64, true
	return dst
}
