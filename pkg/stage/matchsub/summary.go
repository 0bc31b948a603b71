package matchsub

import (
	"doppel/pkg/line"
	"doppel/pkg/substr"
)

// summary returns a line with the number of matches of a pair, the number of symbols that they
// cover in each text, and the share of each text that they cover. The result is empty if there is
// no match.
func (m *matcher[T]) summary(s sides[T]) result {
	inA, inB, passages := make(spans, len(s.a)+1), make(spans, len(s.b)+1), int64(0)
	add := func(match substr.Match) error {
		passages++
		inA.add(match.A, match.Size)
		inB.add(match.B, match.Size)
		return nil
	}
	if m.o.AllMatches {
		s.eachMaximal(m.o.Threshold, add)
	} else {
		for _, match := range s.cutBase(m.blocks(s), m.o.Threshold) {
			add(match)
		}
	}
	if passages == 0 {
		return result{}
	}
	o := line.Overlap{Pair: s.Pair, Passages: passages, SharedA: inA.count(), SharedB: inB.count()}
	o.ShareA, o.ShareB = float64(o.SharedA)/float64(len(s.a)), float64(o.SharedB)/float64(len(s.b))
	return result{out: o.Append(nil, m.format)}
}
