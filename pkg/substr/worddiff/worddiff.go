// Package worddiff says where two texts differ, word by word, for people to
// look at.
//
// The texts are cut into lines, and the matching blocks of Ratcliff and
// Obershelp's method ([substr.Blocks]) are found among those. What stands
// between blocks of 32 bytes or more is cut into words, and the same is done
// again. Then short words that are equal by chance between two differences are
// counted to these. The first step is for speed: most of two revisions is whole
// lines.
//
// Cost: 17 to 20 bytes a word or space, and about 250 ns. In lines of 80 bytes of
// which one word in a hundred differs, two texts of 1 MB take 50 ms of one
// processor, and 260 ms if it is every fifth; where both are one line, 240 and 350
// ms; and 390 ms if nothing but common words is shared (BenchmarkRuns, in processor
// time, on a shared AMD EPYC). The worst case is n times the root of n; see substr.
//
// Tried before: znkr.io/diff 1.0.1, after Myers, on 170,000 numbers a side in place
// of words. It is as quick for revisions, but takes 5 to 18 seconds where little but
// common words is shared, and this 0.1; with its option Fast, which looks at unique
// words alone, it finds 7,000 of 136,000 shared words if every fifth differs.
package worddiff

import "doppel/pkg/substr"

// A Kind says in which text a run stands.
type Kind byte

// The kinds.
const (
	Equal  Kind = iota // in both
	A                  // in the first one alone
	B                  // in the second one alone
	Folded             // in both, and not worth showing: only [Fold] makes these
)

// A Span is the bytes [Start, End) of a text.
type Span struct{ Start, End int }

// Len returns the number of bytes.
func (s Span) Len() int { return s.End - s.Start }

// A Run is a stretch of one kind. The span of a text in which it does not stand
// is empty, and lies where it would stand.
type Run struct {
	Kind Kind
	A, B Span
}

// Runs returns the runs of two texts in their order. Those of each text follow
// each other without a gap, no two neighbours are of one kind, and of two
// differences that stand at one place that of the first text comes first. The
// lengths of the texts add up to less than [substr.MaxLen].
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
	return runs(tidy(join(found)))
}

// leastLines is how many bytes of whole lines are taken as they are.
const leastLines = 32

// A match is bytes that two texts share.
type match struct{ a, b, size int }

// matches returns the matching blocks of two texts that are cut into units.
func matches(a, b string, unit func(string, int) int) (found []match) {
	numbers := map[string]rune{}
	x, y := cut(a, unit, numbers), cut(b, unit, numbers)
	for _, m := range substr.Blocks(x.numbers, y.numbers, 1) {
		found = append(found, match{x.starts[m.A], y.starts[m.B], x.starts[m.A+m.Size] - x.starts[m.A]})
	}
	return found
}

// join makes one of matches that follow each other in both texts. The last one
// is the end of both, and stays where it is.
func join(all []match) (joined []match) {
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

// runs turns matches, of which the last one is the end, into runs.
func runs(all []match) (runs []Run) {
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
