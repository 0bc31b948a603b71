package passage

import (
	"iter"
	"slices"
)

// A long text is signed in parts, so that neither its words nor its runs are held: the
// words with all that is known of them take ten times the text.

// Each yields the runs that [Signer.Append] appends, in parts that the next one
// overwrites.
func (s *Signer) Each(text []byte) iter.Seq[[]Run] {
	return func(yield func([]Run) bool) {
		s.least = leastHash{width: s.scheme.width(), at: -1}
		if s.scheme.Unit == Bytes {
			eachRuns(s, slices.Chunk(text, chunk), s.hasher.AppendBytes, yield)
		} else {
			eachRuns(s, s.units.eachValues(text), s.hasher.AppendValues, yield)
		}
	}
}

// eachRuns is appendRuns of units that come in parts.
func eachRuns[T any](s *Signer, parts iter.Seq[[]T], hashes func([]uint64, []T) []uint64, yield func([]Run) bool) {
	var units []T // the last ones, which begin no passage, and a part
	var runs []Run
	first, length := 0, s.scheme.Length
	for part := range parts {
		if units = append(units, part...); len(units) < length {
			continue
		}
		n := len(units) - length + 1
		s.hashes = hashes(s.hashes[:0], units)
		if runs = s.least.scan(runs[:0], s.hashes, first, n); !yield(runs) {
			return
		}
		units = append(units[:0], units[n:]...)
		first += n
	}
	if first > 0 {
		yield(s.least.end(runs[:0], first))
	}
}

// AppendBodyEach is [AppendBody] of runs that come in parts.
func AppendBodyEach(dst []byte, parts iter.Seq[[]Run]) []byte {
	var runs []Run // that are not written yet
	begun := false
	for part := range parts {
		runs = append(runs, part...)
		if n := len(runs) / 3 * 3; n > 0 { // three runs need no padding
			dst, begun = AppendBody(dst, runs[:n]), true
			runs = append(runs[:0], runs[n:]...)
		}
	}
	if begun && len(runs) == 0 {
		return dst
	}
	return AppendBody(dst, runs)
}
