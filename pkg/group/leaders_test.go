package group

import (
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// bitSets is a Scorer that compares sets by their Jaccard similarity. Sets have at most 16
// elements, so that there are many equal sets and equal scores.
type bitSets struct {
	sets   []uint16
	metric bool // if false, scores are perturbed and violate the triangle inequality
	asked  int
	fail   int // number of the call that fails, where 1 is the next call; 0 if none fails
}

func (s *bitSets) call() error {
	if s.fail--; s.fail == 0 {
		return errors.New("lost")
	}
	return nil
}

func (s *bitSets) Equal(a, b uint32) (bool, error) {
	equal := s.sets[a] == s.sets[b] && s.sets[a] != 0
	if equal {
		s.asked++
	}
	return equal, s.call()
}

func (s *bitSets) Most(a, b uint32) int {
	if !s.metric {
		return Scale
	}
	na, nb := bits.OnesCount16(s.sets[a]), bits.OnesCount16(s.sets[b])
	return Scale * min(na, nb) / max(na, nb, 1)
}

func (s *bitSets) Score(a, b uint32, least int) (int, error) {
	s.asked++
	if score := s.score(a, b); score >= least {
		return score, s.call()
	}
	return -1, s.call()
}

func (s *bitSets) score(a, b uint32) int {
	x, y := s.sets[a], s.sets[b]
	union := bits.OnesCount16(x | y)
	switch {
	case union == 0:
		return 0
	case !s.metric && x != y:
		return int(x^y) * 7919 % Scale
	}
	return Scale * bits.OnesCount16(x&y) / union
}

// plainLeaders computes the scores of all pairs and returns Greedy's decisions on dropped records and
// on the records kept in their favour.
func plainLeaders(t *testing.T, pairs []uint64, s *bitSets, r Rule) (all []Decision) {
	g, favoured := NewGreedy(len(s.sets), 0, 1<<30), map[uint32]bool{}
	var edges []Edge
	for _, p := range pairs {
		a, b := uint32(p), uint32(p>>32)
		if score := s.score(a, b); score >= r.Least {
			edges = append(edges, Edge{a, b, float64(score) / Scale})
		}
	}
	for _, pass := range []func(Edge) error{g.Join, g.Add} {
		for _, e := range edges {
			if err := pass(e); err != nil {
				t.Fatal(err)
			}
		}
	}
	err := g.Decide(func(d Decision) error {
		if all = append(all, d); d.Drop {
			favoured[d.Kept] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(d Decision) bool { return !d.Drop && !favoured[d.Rank] })
}

// randomSets returns n sets, most of them variants of earlier sets, and up to m random pairs of
// them.
func randomSets(r *rand.Rand, n, m int, metric bool) (*bitSets, []uint64) {
	s := &bitSets{sets: make([]uint16, n), metric: metric}
	for i := range s.sets {
		switch {
		case i == 0 || r.IntN(6) == 0:
			s.sets[i] = uint16(r.Uint32()) & uint16(r.Uint32()|r.Uint32())
		default:
			s.sets[i] = s.sets[r.IntN(i)]
			for range r.IntN(3) {
				s.sets[i] ^= 1 << r.IntN(16)
			}
		}
	}
	var pairs []uint64
	for range m {
		if a, b := uint32(r.IntN(n)), uint32(r.IntN(n)); a != b {
			pairs = append(pairs, pairOf(a, b))
		}
	}
	return s, pairs
}

// componentsOf splits pairs into components, each for one call of Decide.
func componentsOf(n int, pairs []uint64) (parts [][]uint64) {
	f, by := NewForest(n), map[uint32]int{}
	for _, p := range pairs {
		f.Join(uint32(p), uint32(p>>32))
	}
	for _, p := range pairs {
		root := f.Root(uint32(p))
		if _, known := by[root]; !known {
			by[root] = len(parts)
			parts = append(parts, nil)
		}
		parts[by[root]] = append(parts[by[root]], p)
	}
	return parts
}

// eachOf returns a function that passes all pairs to its argument, as DecideSpilled requires.
func eachOf(pairs []uint64) func(func(uint64) error) error {
	return func(fn func(uint64) error) error {
		for _, p := range pairs {
			if err := fn(p); err != nil {
				return err
			}
		}
		return nil
	}
}

// TestLeadersPieces checks the decisions of DecideSpilled when it reads the pairs in pieces so
// small that the pairs of one record are split among several.
func TestLeadersPieces(t *testing.T) {
	defer func(least int64) { leastMem = least }(leastMem)
	leastMem = 1 << 12
	r := rand.New(rand.NewPCG(5, 5))
	for _, metric := range []bool{true, false} {
		for _, least := range []int{7000, 9000, 9990} {
			s, pairs := randomSets(r, 300, 200000, metric)
			checkLeaders(t, s, pairs, Rule{least, least, metric})
		}
	}
}

// checkLeaders compares the decisions of Leaders with those of Greedy. It passes the pairs to
// Decide, first all at once, then one component at a time, and finally to DecideSpilled.
func checkLeaders(t *testing.T, s *bitSets, pairs []uint64, r Rule) {
	t.Helper()
	want := plainLeaders(t, pairs, s, r)
	whole := [][]uint64{slices.Clone(pairs)}
	for i, parts := range [][][]uint64{whole, componentsOf(len(s.sets), pairs), whole, whole} {
		l := NewLeaders(len(s.sets))
		s.asked = 0
		compared := int64(0)
		for _, part := range parts {
			decide := func() (int64, error) { return l.Decide(slices.Clone(part), s, r) }
			if i > 1 { // spill in the last two rounds, with the minimum memory in the last
				decide = func() (int64, error) { return l.DecideSpilled(eachOf(part), int64(3-i)<<14, s, r) }
			}
			n, err := decide()
			if err != nil {
				t.Fatal(err)
			}
			compared += n
		}
		var got []Decision
		l.Each(func(d Decision) error { got = append(got, d); return nil })
		if !slices.Equal(got, want) {
			t.Fatalf("%+v of sets %x and pairs %x:\n got %v\nwant %v", r, s.sets, pairs, got, want)
		}
		if compared != int64(s.asked) {
			t.Fatalf("%d compared, said %d", s.asked, compared)
		}
	}
}

func FuzzLeaders(f *testing.F) {
	for seed := range uint64(40) {
		f.Add(seed, uint8(3+seed*3), uint16(10+seed*seed), uint16(seed*300), seed%3 > 0)
	}
	f.Fuzz(func(t *testing.T, seed uint64, n uint8, m, least uint16, metric bool) {
		if n == 0 || least > Scale {
			return
		}
		s, pairs := randomSets(rand.New(rand.NewPCG(seed, 1)), int(n), int(m%2000), metric)
		checkLeaders(t, s, pairs, Rule{int(least), int(least), metric})
	})
}

// TestLeadersCompare checks that Decide makes one comparison per record, not one per pair, if all
// sets are similar.
func TestLeadersCompare(t *testing.T) {
	s := &bitSets{sets: make([]uint16, 100), metric: true}
	var pairs []uint64
	for i := range s.sets {
		s.sets[i] = 1<<15 - 1 ^ 1<<(i%15)
		for j := range i {
			pairs = append(pairs, pairOf(uint32(i), uint32(j)))
		}
	}
	n, err := NewLeaders(len(s.sets)).Decide(pairs, s, Rule{8000, 8000, true})
	if n != 99 || err != nil {
		t.Errorf("%d of %d compared, %v", n, len(pairs), err)
	}
}

// TestLeadersErrors checks that an error from the scorer is returned, whichever call fails.
func TestLeadersErrors(t *testing.T) {
	for call := 1; ; call++ {
		s, pairs := randomSets(rand.New(rand.NewPCG(7, 1)), 12, 30, true)
		s.fail = call
		again := *s
		_, err := NewLeaders(len(s.sets)).DecideSpilled(eachOf(pairs), 1<<20, &again, Rule{6000, 6000, true})
		_, err2 := NewLeaders(len(s.sets)).Decide(pairs, s, Rule{6000, 6000, true})
		if s.fail > 0 {
			break // there were too few calls for one to fail
		}
		if err == nil || err2 == nil {
			t.Errorf("call %d: no error", call)
		}
	}
	l := NewLeaders(2)
	l.Decide([]uint64{pairOf(0, 1)}, &bitSets{sets: []uint16{3, 3}, metric: true}, Rule{Least: 1})
	stop := errors.New("stop")
	if err := l.Each(func(Decision) error { return stop }); err != stop {
		t.Error(err)
	}
}

func ExampleLeaders() {
	s := &bitSets{sets: []uint16{0b1111, 0b0111, 0b0011, 0b1111}, metric: true}
	l := NewLeaders(4)
	l.Decide([]uint64{pairOf(0, 1), pairOf(1, 2), pairOf(2, 0), pairOf(3, 0)}, s, Rule{Least: 6000, Unlike: 6000, Metric: true})
	l.Each(func(d Decision) error { fmt.Println(d.Rank, d.Drop, d.Kept, d.Score); return nil })
	// Output:
	// 0 false 0 0
	// 1 true 0 0.75
	// 3 true 0 1
}
