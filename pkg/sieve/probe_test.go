package sieve

import (
	"math/rand/v2"
	"slices"
	"testing"

	"doppel/pkg/jaccard"
)

// TestProbe checks that a probe finds as many shared elements as a merge of sorted sets, also
// for repeated hashes, the hash 0 and hashes in a narrow range.
func TestProbe(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var p, q probe
	for range 20_000 {
		spread := []uint64{2, 30, 1 << 63}[r.IntN(3)]
		draw := func() (hashes []uint64) {
			for range r.IntN(60) {
				hashes = append(hashes, r.Uint64N(spread))
			}
			return hashes
		}
		a, b := draw(), draw()
		p.fill(a)
		got := q.distinct(b)
		setA, _ := jaccard.Set(slices.Clone(a), nil)
		setB, _ := jaccard.Set(slices.Clone(b), nil)
		if p.n != len(setA) || len(got) != len(setB) {
			t.Fatalf("%v: %d different, %v: %v", a, p.n, b, got)
		}
		want := jaccard.Shared(setA, setB, 0)
		if need := r.IntN(len(setB) + 1); want < need && p.shared(got, need) != -1 || want >= need && p.shared(got, need) != want {
			t.Fatalf("%v, %v: %d shared of %d needed, want %d", a, b, p.shared(got, need), need, want)
		}
	}
}

// TestCache checks that a cache keeps the most recently used sets, within its limit.
func TestCache(t *testing.T) {
	const room = 100 // number of sets that fit into the cache
	set := []uint64{1, 2, 3}
	c := newCache(room * int64(8*len(set)+setBytes))
	for leader := range uint32(1000) {
		if c.get(leader) != nil {
			t.Errorf("%d before it was put", leader)
		}
		c.put(leader, set)
		if c.get(0) == nil {
			t.Errorf("0 was given up, though it was used just before %d", leader)
		}
		if old := leader - 10; leader > room && c.get(old) == nil {
			t.Errorf("%d was given up when %d was put", old, leader)
		}
		if n := len(c.young) + len(c.old); n > room {
			t.Errorf("%d sets", n)
		}
	}
	small := newCache(1)
	small.put(1, set)
	small.put(2, set)
	if small.get(2) == nil || len(small.young) != 1 {
		t.Error("the last set is not held")
	}
}

// revisions returns two sets of 1,500 hashes that differ in about 50, like the sets of a text
// and of its revision.
func revisions() (a, b []uint64) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 1500 {
		a = append(a, r.Uint64())
	}
	b = slices.Clone(a)
	for range 50 {
		b[r.IntN(len(b))] = r.Uint64()
	}
	return a, b
}

func BenchmarkFill(b *testing.B) {
	var p probe
	a, _ := revisions()
	for b.Loop() {
		p.fill(a)
	}
}

func BenchmarkShared(b *testing.B) {
	var p, q probe
	x, y := revisions()
	p.fill(x)
	set := q.distinct(y)
	for b.Loop() {
		p.shared(set, 1000)
	}
}
