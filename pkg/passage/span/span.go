// Package span turns the repeated passages of a record into the ranges that are cut out of it.
// It does no input or output.
//
// The steps, each a function: take the union of the passages' texts (union); include the text
// between two spans if enough of both together is repeated (bridge); convert ranges of units to
// bytes; shrink each until it begins and ends between letters, words or lines ([Snap]); and
// drop the whole record if too little of it remains. [Cutter] does all.
//
// Shrinking never adds text that is not repeated: a word that is repeated only in part stays
// completely, and a span without a whole word, or line, is not cut at all. So a cut may be
// shorter than a passage.
//
// Cost: linear in the repeats, n log n with bridge, and in the bytes removed by shrinking.
package span

import (
	"doppel/pkg/passage"
	"sort"
)

// A Span is units, or bytes, of a text, from Start up to End.
type Span struct{ Start, End int }

// union appends the union of the texts of a record's repeats, which are ascending, to dst:
// ascending spans of units that do not touch.
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

// bridge joins spans: any two and all between them, if at least the share of the units from the
// start of the first to the end of the second is repeated. The share is above 0, and at most 1.
// It changes spans and returns a part of it.
func bridge(spans []Span, share float64) []Span {
	// Spans i to j are joined if gain[j] >= gain before i, where the gain at a place is the number
	// of repeated units up to it, less the share of the place.
	best := make([]float64, len(spans)) // the greatest gain at the end of a span from i on
	repeated := 0
	for i, s := range spans {
		repeated += s.End - s.Start
		best[i] = float64(repeated) - share*float64(s.End)
	}
	for i := len(best) - 2; i >= 0; i-- {
		best[i] = max(best[i], best[i+1])
	}
	joined, repeated := spans[:0], 0
	reach := -1 // the last span that is joined with an earlier one
	for i, s := range spans {
		gain := float64(repeated) - share*float64(s.Start)
		repeated += s.End - s.Start
		if i > reach {
			joined = append(joined, s)
		} else {
			joined[len(joined)-1].End = s.End
		}
		reach = max(reach, i-1+sort.Search(len(best)-i, func(k int) bool { return best[i+k] < gain-slack })) // best never rises
	}
	return joined
}

// slack allows for the rounding of shares.
const slack = 1e-6

// A Piece is a part of a span, and its evidence: another place with the same text.
type Piece struct {
	Span
	From   int // the record, or None
	At, To int // its units: the first one equals the unit at Start
	Copies int // occurrences of the rarest passage of the evidence
}

// None is the record of a piece that is not repeated, between two repeated pieces.
const None = -1

// pieces appends to dst the smallest number of pieces that cover a span, ascending and without
// overlap. Repeats are all repeats of the record, ascending; the span is in the same units.
func pieces(dst []Piece, s Span, repeats []passage.Repeat, length int) []Piece {
	for at := s.Start; at < s.End; at = dst[len(dst)-1].End {
		last := -1 // the last repeat that begins in time; it also ends last
		for last+1 < len(repeats) && repeats[last+1].Start <= at {
			last++
		}
		switch {
		case last >= 0 && repeats[last].End(length) > at:
			r := repeats[last].Part(at)
			end := min(s.End, r.End(length))
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
