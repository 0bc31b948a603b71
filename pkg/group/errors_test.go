package group

import (
	"errors"
	"os"
	"testing"
)

// A decider is a Greedy or a Components.
// TestEmitErrors checks that Decide stops and returns the error if emit fails, for each kind of
// decision.
func TestEmitErrors(t *testing.T) {
	full := errors.New("full")
	edges := []Edge{{1, 2, .9}, {1, 3, Equal}, {5, 6, .8}} // ranks 0, 4 and 7 have no edge
	for _, made := range []func() decider{
		func() decider { return NewGreedy(8, 0, 1<<20) },
		func() decider { return NewNone(8, 0, 1<<20) },
		func() decider { return scoring{NewComponents(8, 0, false)} },
	} {
		for last := range 8 {
			d := made()
			for _, step := range []func(Edge) error{d.Join, d.Add} {
				for _, e := range edges {
					if err := step(e); err != nil {
						t.Fatal(err)
					}
				}
			}
			n := 0
			err := d.Decide(func(Decision) error {
				if n++; n > last {
					return full
				}
				return nil
			})
			if err != full || n != last+1 {
				t.Errorf("%T: an error at decision %d of 8 gives %v after %d", d, last+1, err, n)
			}
		}
	}
}

// A scoring is a Components with the methods of Greedy.
type scoring struct{ *Components }

func (s scoring) Add(e Edge) error                       { return s.Score(e) }
func (s scoring) Decide(emit func(Decision) error) error { return s.Components.Decide(false, emit) }

// TestLostEdges checks that Decide returns an error if spilled edges cannot be read.
func TestLostEdges(t *testing.T) {
	g := NewGreedy(1000, 0, 0)
	for i := range uint32(200_000) {
		if err := g.Add(Edge{i % 499, 500 + i%500, .7}); err != nil {
			t.Fatal(err)
		}
	}
	if err := g.sorter.Close(); err != nil {
		t.Fatal(err)
	}
	if err := g.Decide(func(Decision) error { return nil }); !errors.Is(err, os.ErrClosed) {
		t.Errorf("greedy: %v", err)
	}
}
