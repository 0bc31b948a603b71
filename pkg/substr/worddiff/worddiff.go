// Package worddiff shows where two texts differ, word by word, for reading.
//
// The texts are split into lines, and the matching blocks of Ratcliff and Obershelp's method
// ([substr.Blocks]) are found among the lines. The text between blocks of 32 bytes or more is
// split into words and matched in the same way. Then short words that are equal by chance
// between two differences are added to these. The first step is for speed: two revisions share
// mostly whole lines.
//
// Cost: 17 to 20 bytes per word or space, and about 250 ns. With lines of 80 bytes, two texts
// of 1 MB take 50 ms of one processor if one word in a hundred differs, and 260 ms if every
// fifth does; as a single line each, 240 and 350 ms; and 390 ms if they share only common words
// (BenchmarkRuns, processor time, on a shared AMD EPYC). The worst case is n·√n; see substr.
//
// Tried before: znkr.io/diff 1.0.1, after Myers, on 170,000 numbers per side instead of words.
// It is as fast for revisions, but takes 5 to 18 seconds, against 0.1 here, if the texts share
// little but common words; with its option Fast, which looks only at unique words, it finds
// 7,000 of 136,000 shared words if every fifth differs.
package worddiff

import "doppel/pkg/substr"

// A Kind says which text a run belongs to.
type Kind byte

// The kinds.
const (
	Equal  Kind = iota // in both
	A                  // only in the first
	B                  // only in the second
	Folded             // in both, and not worth showing: only [Fold] produces it
)

// A Span is the bytes [Start, End) of a text.
type Span struct{ Start, End int }

// Len returns the number of bytes.
func (s Span) Len() int { return s.End - s.Start }

// A Run is a range of one kind. Its span in a text that does not have it is empty, at the
// corresponding position.
type Run struct {
	Kind Kind
	A, B Span
}

// Runs returns the runs of two texts in order. The runs of each text follow each other without
// a gap, neighbours differ in kind, and at the same position a difference in the first text
// comes before one in the second. The total length of the texts must be less than
// [substr.MaxLen].
func Runs(a, b string) []Run {
	var found []match
	at := match{}
	for _, m := range append(matches(a, b, line), match{a: len(a), b: len(b)}) {
		if m.size < leastLines && m.a < len(a) && m.b < len(b) {
			continue
		}
		for _, w := range matches(a[at.a:m.a], b[at.b:m.b], word) {
			found = append(found, match{at.a + w.a, at.b + w.b, w.size})
		}
		found = append(found, m)
		at = match{a: m.a + m.size, b: m.b + m.size}
	}
	return makeRuns(dropChance(joinAdjacent(found)))
}

// leastLines is the minimum number of bytes of whole lines to match without a look at words.
const leastLines = 32

// A match is a common substring of two texts.
type match struct{ a, b, size int }

// matches returns the matching blocks of two texts split into units.
func matches(a, b string, unit func(string, int) int) (found []match) {
	numbers := map[string]rune{}
	x, y := splitUnits(a, unit, numbers), splitUnits(b, unit, numbers)
	for _, m := range substr.Blocks(x.numbers, y.numbers, 1) {
		found = append(found, match{x.starts[m.A], y.starts[m.B], x.starts[m.A+m.Size] - x.starts[m.A]})
	}
	return found
}

// joinAdjacent merges matches that follow each other in both texts. The last match is the end
// of both texts and stays separate.
func joinAdjacent(all []match) (joined []match) {
	for i, m := range all {
		last := len(joined) - 1
		if last >= 0 && i < len(all)-1 && joined[last].a+joined[last].size == m.a && joined[last].b+joined[last].size == m.b {
			joined[last].size += m.size
			continue
		}
		joined = append(joined, m)
	}
	return joined
}

// makeRuns converts matches into runs. The last match is the end of both texts.
func makeRuns(all []match) (runs []Run) {
	a, b := 0, 0
	add := func(k Kind, endA, endB int) {
		if endA > a || endB > b {
			runs = append(runs, Run{k, Span{a, endA}, Span{b, endB}})
			a, b = endA, endB
		}
	}
	for _, m := range all {
		add(A, m.a, b)
		add(B, a, m.b)
		add(Equal, m.a+m.size, m.b+m.size)
	}
	return runs
}
