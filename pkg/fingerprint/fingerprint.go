// Package fingerprint fingerprints texts by a sample of their windows, so that texts with a common
// passage share fingerprints, whatever surrounds it.
//
// The method comes from Manber's sif (Finding Similar Files in a Large File System, USENIX
// Winter 1994). Every window of s units w, one starting at each unit of the text, is hashed by
// a polynomial in a prime p,
//
//	f = w[0]·p^(s-1) + w[1]·p^(s-2) + … + w[s-1]
//	h = f mod m
//
// and h is kept if it satisfies a criterion, by default that its 8 low bits are zero. The
// choice depends only on the content, so a common passage keeps the same fingerprints in both
// texts: the number of shared fingerprints, divided by the size of one set, estimates how
// much of that text the other text contains, which the min-hashes of package minhash cannot
// do.
//
// Because the next window differs by one unit at either end, f is rolled in O(1):
// f' = f·p - w[0]·p^s + w[s].
//
// Raw computes exactly this. The default differs in two ways. First, the low bits of f modulo
// 2^64 depend only on the low bits of the units, so f is mixed before it is reduced and
// sampled, and units count from one, so that zeros count as much as others. Second, a window
// that repeats a unit of at most 8 bytes is padding, not a passage, and is dropped.
//
// Winnowing (Schleimer, Wilkerson, Aiken: Local Algorithms for Document Fingerprinting, SIGMOD
// 2003) keeps the smallest of every W consecutive hashes instead. It keeps about 2/(W+1) of the
// hashes, and guarantees to find a shared passage of at least W+s-1 units; a sample of one in
// 2^c gives no guarantee: it misses a shared passage of n windows with probability (1-2^-c)^n.
//
// Cost: one pass of about 1.5 ns per byte for windows of bytes of any length; see
// BenchmarkBytes. The arithmetic takes all of it: p² is known, so two steps of the polynomial
// are done at once, which halves the chain of dependent multiplications. Hashes go through a
// small block to the loop that selects; this beats a single loop for both, because the compiler
// then keeps the state of either loop in registers.
package fingerprint

import (
	"iter"
	"math"
	"slices"
	"unicode/utf8"
)

// A Sampler turns texts into sets of fingerprints. It is not safe for
// concurrent use.
type Sampler struct {
	roller   roller
	winnower *winnower
	hashes   [blockLen]uint64
	bytes    []byte   // the last window, then a part of the text
	values   []uint64 // the same for other units
	chars    []uint64 // the code points of a part
}

// blockLen is the number of windows hashed at a time.
const blockLen = 512

// New returns a Sampler, or the error of [Params.Check].
func New(p Params) (*Sampler, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	s := &Sampler{roller: newRoller(p)}
	if p.Winnow > 0 {
		s.winnower = &winnower{length: p.Winnow, suffix: make([]uint64, p.Winnow+1)}
		s.winnower.suffix[p.Winnow] = math.MaxUint64
		s.winnower.finish(nil)
	}
	return s, nil
}

// Append appends the fingerprints of a text to dst, ascending, each once. The text comes in
// parts, of whole code points if the unit is Chars; the sampler buffers a window and one part.
// A text shorter than a window has no fingerprints. It panics if the unit is Words.
func (s *Sampler) Append(dst []uint64, parts iter.Seq[[]byte]) []uint64 {
	switch s.roller.Unit {
	case Bytes:
		dst, s.bytes = appendSet(s, dst, s.bytes[:0], parts)
		return dst
	case Chars:
		return s.AppendValues(dst, s.codePoints(parts))
	}
	panic("sample: words are sampled by AppendValues")
}

// AppendValues is [Sampler.Append] for units of any kind, given as values; a word is given as
// its hash.
func (s *Sampler) AppendValues(dst []uint64, parts iter.Seq[[]uint64]) []uint64 {
	dst, s.values = appendSet(s, dst, s.values[:0], parts)
	return dst
}

// codePoints yields the code points of parts, at most mostChars at a time; a byte that is not
// UTF-8 counts as U+FFFD.
func (s *Sampler) codePoints(parts iter.Seq[[]byte]) iter.Seq[[]uint64] {
	return func(yield func([]uint64) bool) {
		for part := range parts {
			for len(part) > 0 {
				s.chars = s.chars[:0]
				for len(part) > 0 && len(s.chars) < mostChars {
					r, n := utf8.DecodeRune(part)
					s.chars = append(s.chars, uint64(r))
					part = part[n:]
				}
				if !yield(s.chars) {
					return
				}
			}
		}
	}
}

// mostChars is the maximum number of code points held at once.
const mostChars = 1 << 16

// mostHeld is the maximum number of units of buffer kept for the next text.
const mostHeld = 1 << 19

// compactAt is the number of fingerprints, repeats included, above which repeats are
// dropped for the first time; later, they are dropped whenever the number has doubled. So
// a text that repeats itself for gigabytes needs only the memory of its distinct windows.
const compactAt = 1 << 16

// appendSet appends the fingerprints of units that come in parts. It buffers the last window
// and a part in units, and returns that memory.
func appendSet[T unit](s *Sampler, dst []uint64, units []T, parts iter.Seq[[]T]) ([]uint64, []T) {
	first, window := len(dst), s.roller.Window
	set := struct { // one variable, because variables changed in the loop over parts move to the heap
		dst   []uint64
		limit int // number of fingerprints, repeats included, at which to drop repeats again
		begun bool
	}{dst, compactAt, false}
	for part := range parts {
		all := part
		if len(units) > 0 {
			units = append(units, part...)
			all = units
		}
		if len(all) >= window && !set.begun {
			hashFirst(&s.roller, s.hashes[:1], all[:window])
			set.dst = appendKept(s, set.dst, s.hashes[:1], all)
			set.begun = true
		}
		for ; len(all) > window; all = all[min(blockLen, len(all)-window):] {
			h := s.hashes[:min(blockLen, len(all)-window)]
			hashNext(&s.roller, h, all)
			set.dst = appendKept(s, set.dst, h, all[1:])
			if n := len(set.dst) - first; n > set.limit {
				set.dst = dropRepeats(set.dst, first)
				set.limit = max(set.limit, 2*(len(set.dst)-first))
			}
		}
		units = append(units[:0], all...)
	}
	if set.begun && s.winnower != nil {
		set.dst = s.winnower.finish(set.dst)
	}
	if cap(units) > mostHeld {
		units = nil
	}
	return dropRepeats(set.dst, first), units
}

// appendKept appends the selected hashes of h, which belong to the windows of t.
func appendKept[T unit](s *Sampler, dst, h []uint64, t []T) []uint64 {
	if s.winnower != nil {
		return s.winnower.feed(dst, h)
	}
	p, raw, window := &s.roller.Params, s.roller.Raw, s.roller.Window
	for i := p.next(h); i < len(h); i += 1 + p.next(h[i+1:]) {
		if raw || !isPadding(t[i:i+window]) {
			dst = append(dst, h[i])
		}
	}
	return dst
}

// next returns the index of the first hash that satisfies a criterion, or len(h).
func (p *Params) next(h []uint64) int {
	n := p.Criterion.next(h)
	for _, c := range p.Further {
		n = c.next(h[:n])
	}
	return n
}

func (c Criterion) next(h []uint64) int {
	for i, x := range h {
		if x&c.Mask == c.Value {
			return i
		}
	}
	return len(h)
}

// isPadding reports whether a window only repeats a unit of at most 8 bytes.
func isPadding[T unit](w []T) bool {
	for q := 1; q <= 8 && 2*q <= len(w); q++ {
		if slices.Equal(w[q:], w[:len(w)-q]) {
			return true
		}
	}
	return false
}

// dropRepeats sorts dst[start:] and drops repeats.
func dropRepeats(dst []uint64, start int) []uint64 {
	slices.Sort(dst[start:])
	return dst[:start+len(slices.Compact(dst[start:]))]
}
