// Package fingerprint computes the fingerprints of a text: the hashes of a sample of its windows.
// Texts with a common passage share fingerprints, whatever text surrounds the passage.
//
// The method comes from Manber's sif (Finding Similar Files in a Large File System, USENIX Winter
// 1994). A window of s units, w[0] to w[s-1], starts at every unit of the text. Its hash h is a
// polynomial in a prime p, reduced modulo m:
//
//	f = w[0]·p^(s-1) + w[1]·p^(s-2) + … + w[s-1]
//	h = f mod m
//
// The hash is kept as a fingerprint if it satisfies a criterion, by default that its 8 low bits are
// zero. The choice depends only on the content of the window, so a passage has the same
// fingerprints in every text. The number of fingerprints that two texts share, divided by the
// number of fingerprints of one text, estimates how much of that text the other text contains. The
// min-hashes of package minhash cannot estimate this.
//
// Because the next window differs by one unit at each end, f is updated in O(1):
//
//	f' = f·p - w[0]·p^s + w[s]
//
// With Params.Raw, the package computes exactly these hashes. If Raw is not set, the method differs
// from that of sif in two ways. First, 1 is added to each unit, so that units of value 0 count, and
// f is mixed before it is reduced and sampled, because its low bits modulo 2^64 depend only on the
// low bits of the units. Second, a window that consists of repetitions of at most 8 units counts as
// padding and is dropped.
//
// Winnowing (Schleimer, Wilkerson, Aiken: Local Algorithms for Document Fingerprinting, SIGMOD
// 2003) uses no criterion, but keeps the smallest of every W consecutive hashes. It keeps about
// 2/(W+1) of the hashes, and finds every shared passage of at least W+s-1 units. A sample of one
// hash in 2^c gives no such guarantee: it misses a shared passage of n windows with probability
// (1-2^-c)^n.
//
// If units are bytes, sampling takes about 1.5 ns per byte, whatever the length of the window (see
// BenchmarkBytes). Almost all of this time is arithmetic. Two steps of the polynomial are done at
// once with p², which halves the chain of dependent multiplications. Separate loops hash windows
// and select hashes, one small block at a time; this is faster than a single loop, because the
// compiler then keeps the state of each loop in registers.
package fingerprint

import (
	"iter"
	"math"
	"slices"
	"unicode/utf8"
)

// A Sampler turns texts into sets of fingerprints. It is not safe for concurrent use.
type Sampler struct {
	roller   roller
	winnower *winnower
	hashes   [blockLen]uint64
	bytes    []byte   // the last window of the previous part, then the current part
	values   []uint64 // last window and current part, for units other than bytes
	chars    []uint64 // code points of a part
}

// blockLen is the number of windows hashed at a time.
const blockLen = 512

// New returns a Sampler with the parameters p. It returns an error if [Params.Check] does.
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

// Append appends the distinct fingerprints of a text to dst, in ascending order. The text comes in
// parts; if the unit is Chars, each part must consist of whole code points. Append buffers a window
// and one part. A text shorter than a window has no fingerprints. Append panics if the unit is
// Words.
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

// AppendValues is like [Sampler.Append], but the parts hold the values of units of any kind. The
// value of a word is its hash.
func (s *Sampler) AppendValues(dst []uint64, parts iter.Seq[[]uint64]) []uint64 {
	dst, s.values = appendSet(s, dst, s.values[:0], parts)
	return dst
}

// codePoints yields the code points of parts, at most mostChars at a time; a byte that is not valid
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

// mostChars is the maximum number of code points in memory at once.
const mostChars = 1 << 16

// mostHeld is the maximum capacity, in units, of a buffer that is kept for the next text.
const mostHeld = 1 << 19

// compactAt is the number of fingerprints, repeats included, above which repeats are dropped for
// the first time. Later, repeats are dropped whenever the number has doubled. So a text that
// repeats itself for gigabytes needs memory only for its distinct windows.
const compactAt = 1 << 16

// appendSet appends the distinct fingerprints of a text to dst. It uses units as a buffer for a
// window and a part, and returns the buffer for reuse.
func appendSet[T unit](s *Sampler, dst []uint64, units []T, parts iter.Seq[[]T]) ([]uint64, []T) {
	first, window := len(dst), s.roller.Window
	set := struct { // one struct, because every variable that the loop over parts modifies is allocated on the heap
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

// appendKept appends the selected hashes of h to dst. h[i] is the hash of the window that starts at
// t[i].
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

// next returns the index of the first hash that satisfies one of the criteria, or len(h) if there
// is none.
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

// isPadding reports whether a window consists of repetitions of at most 8 units.
func isPadding[T unit](w []T) bool {
	for q := 1; q <= 8 && 2*q <= len(w); q++ {
		if slices.Equal(w[q:], w[:len(w)-q]) {
			return true
		}
	}
	return false
}

// dropRepeats sorts dst[start:] and drops repeats from it.
func dropRepeats(dst []uint64, start int) []uint64 {
	slices.Sort(dst[start:])
	return dst[:start+len(slices.Compact(dst[start:]))]
}
