// Package span computes the ranges to cut out of a record from the record's repeated passages. It
// does no I/O.
//
// A [Cutter] works in these steps:
//
//  1. take the union of the passages' texts (union);
//  2. join two spans if enough of the text from the start of the first to
//     the end of the second is repeated (bridge);
//  3. convert the spans from units to bytes;
//  4. shrink each span until it begins and ends between letters, words or
//     lines ([Snap]);
//  5. cut the whole record if too little of it would remain.
//
// Shrinking never adds text that is not repeated. With [Word], a word that is repeated only in part
// is not cut, and neither is a span without a whole word. The same is true of lines with [Line]. So
// a cut may be shorter than a passage.
//
// The time is linear in the number of repeats (n log n if spans are joined), and in the number of
// bytes that shrinking removes.
package span

import (
	"sort"

	"doppel/pkg/passage"
	"doppel/pkg/text/utf"
)

// A Span is a range of a text, in units or bytes, from Start up to but not including End.
type Span struct{ Start, End int }

// union appends to dst the spans of units that a record's repeats cover. The spans are in ascending
// order and do not touch. The repeats must be in ascending order.
func union(dst []Span, repeats []passage.Repeat, length int) []Span {
	first := len(dst)
	for _, r := range repeats {
		end := r.End(length)
		if last := len(dst) - 1; last >= first && r.Start <= dst[last].End {
			dst[last].End = max(dst[last].End, end)
			continue
		}
		dst = append(dst, Span{r.Start, end})
	}
	return dst
}

// bridge joins two spans, and all spans between them, if at least the given share of the units from
// the start of the first span to the end of the second is repeated. The share must be above 0 and
// at most 1. The result reuses the memory of spans.
func bridge(spans []Span, share float64) []Span {
	// The gain at unit u is the number of repeated units before u, minus share*u. bridge joins the
	// spans i to j if the gain at the end of j is at least the gain at the start of i.
	best := make([]float64, len(spans)) // best[i] is the greatest gain at the end of span i or of a later span
	repeated := 0
	for i, s := range spans {
		repeated += s.End - s.Start
		best[i] = float64(repeated) - share*float64(s.End)
	}
	for i := len(best) - 2; i >= 0; i-- {
		best[i] = max(best[i], best[i+1])
	}
	joined, repeated := spans[:0], 0
	reach := -1 // index of the last span that is joined with an earlier span
	for i, s := range spans {
		gain := float64(repeated) - share*float64(s.Start)
		repeated += s.End - s.Start
		if i > reach {
			joined = append(joined, s)
		} else {
			joined[len(joined)-1].End = s.End
		}
		// best[i] never increases with i, so a binary search finds the last span to join.
		reach = max(reach, i-1+sort.Search(len(best)-i, func(k int) bool { return best[i+k] < gain-slack }))
	}
	return joined
}

// slack allows for rounding errors in the gains.
const slack = 1e-6

// A Piece is a part of a span with its evidence, which is another occurrence of the same text.
type Piece struct {
	Span
	From   int // record that contains the evidence, or None
	At, To int // the evidence is the units [At, To) of record From
	Copies int // number of occurrences of the rarest passage of the repeat
}

// None is the value of Piece.From for text that is not repeated. Such a piece is between two
// repeated pieces.
const None = -1

// pieces appends to dst the smallest number of pieces that cover a span, in ascending order and
// without overlap. The span is in units of the scheme. repeats must include all repeats that
// overlap the span, in ascending order. If units are bytes, text is the record's text: a piece then
// ends between two code points wherever the next piece has evidence for the whole code point.
func pieces(dst []Piece, s Span, repeats []passage.Repeat, length int, text []byte) []Piece {
	for at := s.Start; at < s.End; at = dst[len(dst)-1].End {
		last := lastBefore(repeats, at)
		switch {
		case last >= 0 && repeats[last].End(length) > at:
			r := repeats[last].Part(at)
			end := min(s.End, r.End(length))
			if text != nil && end < s.End {
				// The last repeat before a place is the one that ends last.
				if letter := utf.Start(text, end); letter > at && repeats[lastBefore(repeats, letter)].Part(letter).End(length) > end {
					end = letter
				}
			}
			dst = append(dst, Piece{Span{at, end}, r.From, r.FromStart + at - r.Start, r.FromStart + end - r.Start, r.Copies})
		case last+1 < len(repeats):
			dst = append(dst, Piece{Span: Span{at, min(s.End, repeats[last+1].Start)}, From: None})
		default:
			dst = append(dst, Piece{Span: Span{at, s.End}, From: None})
		}
		repeats = repeats[max(last, 0):]
	}
	return dst
}

// lastBefore returns the index of the last repeat that starts at or before a unit, or -1. No
// earlier repeat ends later.
func lastBefore(repeats []passage.Repeat, unit int) int {
	last := -1
	for last+1 < len(repeats) && repeats[last+1].Start <= unit {
		last++
	}
	return last
}
