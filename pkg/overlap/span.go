package overlap

import (
	"cmp"
	"slices"

	"doppel/pkg/text"
)

// In the output of [Tally.Matched], gap separates parts that are not adjacent in the text.
const gap = " … "

// distinct returns the distinct windows of hits, in ascending order.
func distinct(hits []Hit) []uint32 {
	windows := make([]uint32, len(hits))
	for i, h := range hits {
		windows[i] = h.Window
	}
	slices.Sort(windows)
	return slices.Compact(windows)
}

// A Span is the byte range [Start, End) of a text.
type Span struct{ Start, End int }

// Spans returns the byte ranges of hits in ascending order, and joins ranges that touch. It also
// joins two spans if the gap between them, such as a changed word, is at most as long as the
// shorter span.
func Spans(hits []Hit) (spans []Span) {
	all := slices.Clone(hits)
	slices.SortFunc(all, func(a, b Hit) int { return cmp.Compare(a.Start, b.Start) })
	for _, h := range all {
		spans = appendSpan(spans, Span{h.Start, h.End})
	}
	joined := spans[:0]
	for _, s := range spans {
		if n := len(joined); n > 0 {
			last := &joined[n-1]
			if s.Start-last.End <= min(s.End-s.Start, last.End-last.Start) {
				last.End = s.End
				continue
			}
		}
		joined = append(joined, s)
	}
	return joined
}

// appendSpan appends s to spans, or joins s to the last span if the two touch. s must not begin
// before the last span.
func appendSpan(spans []Span, s Span) []Span {
	if n := len(spans); n > 0 && s.Start <= spans[n-1].End {
		spans[n-1].End = max(spans[n-1].End, s.End)
		return spans
	}
	return append(spans, s)
}

// Matched appends to dst the words of a field that are in the windows of r.Hits. It puts " … "
// between parts that are not adjacent.
func (t *Tally) Matched(dst []byte, r *Record, field int) []byte {
	x := t.index
	if r.set == nil {
		r.set = distinct(r.Hits)
	}
	var joined []Span
	x.eachWindow(newWords(text.None), field, func(h uint64, words, at, size int) {
		slot, _ := x.findSlot(h, words, x.arena[at:at+size])
		if _, has := slices.BinarySearch(r.set, x.slots[slot]-1); has {
			joined = appendSpan(joined, Span{at, at + size})
		}
	})
	for i, s := range joined {
		if i > 0 {
			dst = append(dst, gap...)
		}
		dst = append(dst, x.arena[s.Start:s.End]...)
	}
	return dst
}
