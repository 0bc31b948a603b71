package matchsub

import (
	"sort"

	"doppel/pkg/line"
	"doppel/pkg/substr"
)

// summary returns the line of a pair that shares anything: how many matches there
// are, how much of each text they cover, and which share of it that is.
func (m *matcher[T]) summary(s sides[T]) result {
	inA, inB, passages := newSpans(len(s.a)), newSpans(len(s.b)), int64(0)
	add := func(match substr.Match) error {
		passages++
		inA.add(match.A, match.Size)
		inB.add(match.B, match.Size)
		return nil
	}
	if m.o.AllMatches {
		s.maximal(m.o.Threshold, add)
	} else {
		for _, match := range s.cut(m.blocks(s), m.o.Threshold) {
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

// lineEnds tell the lines of two texts.
type lineEnds struct{ a, b []int64 } // where lines end

func (m *matcher[T]) lineEnds(s sides[T]) *lineEnds {
	if !m.o.Numbers {
		return nil
	}
	return &lineEnds{ends(s.a), ends(s.b)}
}

// ends returns the offsets of the line feeds of a text.
func ends[T substr.Symbol](text []T) (all []int64) {
	for i, c := range text {
		if c == '\n' {
			all = append(all, int64(i))
		}
	}
	return all
}

// number sets the lines of a match.
func (n *lineEnds) number(m *line.Match) {
	if n == nil {
		return
	}
	m.Numbered = true
	m.FirstA, m.LastA = number(n.a, m.StartA), number(n.a, m.EndA-1)
	m.FirstB, m.LastB = number(n.b, m.StartB), number(n.b, m.EndB-1)
}

// number returns in which line, from 1, an offset is.
func number(ends []int64, at int64) int64 {
	return 1 + int64(sort.Search(len(ends), func(i int) bool { return ends[i] >= at }))
}
