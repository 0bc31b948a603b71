package main

import (
	"testing"

	"doppel/pkg/stage/stagetest/script"
)

func TestMain(m *testing.M) { script.Main(m) }

// TestFigures checks, for a twelfth of the pairs, that no message is removed that is not a copy, and
// how many copies are found, by comparison and by sums alone.
func TestFigures(t *testing.T) {
	w, err := newWriter("../..", 2)
	if err != nil {
		t.Fatal(err)
	}
	pairs := makePairs(w, 1./12)
	found, err := evaluate(pairs, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range pairs {
		switch f := found[i]; {
		case !p.copy && f.removed > 0:
			t.Errorf("%s: removed, but not a copy:\n%s\n\n%s", p.kind, p.a, p.b)
		case f.removed > 1:
			t.Errorf("%s: both copies are removed:\n%s\n\n%s", p.kind, p.a, p.b)
		}
	}
	atLeast := func(name string, part func(count) int, share float64) {
		c := countAll(pairs, found, totals[name])
		if c.pairs < 40 || float64(part(c)) < share*float64(c.pairs) {
			t.Errorf("%s: %+v, want %g", name, c, share)
		}
	}
	atLeast("copies", func(c count) int { return c.removed }, .98)
	atLeast("copies of 60 words and more", func(c count) int { return c.sums }, .9)
	atLeast("answers and forwards with >", func(c count) int { return c.pairs - c.sums }, .995)
}
