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
	set, size := []uint64{1, 2, 3}, int64(3*8+setBytes)
	has := func(c *cache[[]uint64], leader uint32) bool {
		_, ok := c.get(leader)
		return ok
	}
	c := newCache[[]uint64](room * size)
	for leader := range uint32(1000) {
		if has(c, leader) {
			t.Errorf("%d before it was put", leader)
		}
		c.put(leader, set, size)
		if !has(c, 0) {
			t.Errorf("0 was given up, though it was used just before %d", leader)
		}
		if old := leader - 10; leader > room && !has(c, old) {
			t.Errorf("%d was given up when %d was put", old, leader)
		}
		if n := len(c.young) + len(c.old); n > room {
			t.Errorf("%d sets", n)
		}
	}
	small := newCache[[]uint64](1)
	small.put(1, set, size)
	small.put(2, set, size)
	if !has(small, 2) || len(small.young) != 1 {
		t.Error("the last set is not held")
	}
}

// TestParity checks that the upper bound of two parities is correct for sets of all sizes and
// similarities, also if their bitmaps have different lengths. For long sets, the bound must be near
// the number of shared elements.
func TestParity(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	parityOf := func(set []uint64) (p parity) {
		var s probe
		s.fill(set)
		p.fill(s.slots, s.n, s.zero)
		return p
	}
	for range 2000 {
		common, mask := make([]uint64, r.IntN(700)), ^uint64(0)>>r.IntN(60) // a few hashes repeat
		for i := range common {
			common[i] = r.Uint64() & mask
		}
		a, b := slices.Clone(common), slices.Clone(common)
		for range r.IntN(1 + len(common)/4) {
			a = append(a, r.Uint64()&mask)
		}
		for range r.IntN(1 + len(common)) {
			b = append(b, r.Uint64()&mask)
		}
		var s, scratch probe
		s.fill(a)
		set := scratch.distinct(b)
		p, o := parityOf(a), parityOf(b)
		shared := s.shared(set, 0)
		if most := p.mostShared(&o); most < shared || most != o.mostShared(&p) {
			t.Fatalf("sets of %d and %d share %d, at most %d or %d by their parities", p.n, o.n, shared, most, o.mostShared(&p))
		}
		if most := p.mostShared(&p); most != p.n {
			t.Fatalf("a set of %d shares at most %d with itself", p.n, most)
		}
	}
	a := make([]uint64, 20000)
	for i := range a {
		a[i] = r.Uint64()
	}
	p, o := parityOf(a[:16700]), parityOf(a[3000:19700]) // 82 % are shared
	if most := p.mostShared(&o); most > 14300 {
		t.Errorf("at most %d are shared, want a bound nearer to 13700", most)
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

// BenchmarkUnlike compares two sets of 16,700 hashes that share 82 %, by their parities and by
// looking up hashes until it is certain that fewer than 89 % are shared.
func BenchmarkUnlike(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	all := make([]uint64, 19700)
	for i := range all {
		all[i] = r.Uint64()
	}
	var p probe
	one, other := p.distinct(all[:16700]), p.distinct(all[3000:])
	p.fill(one)
	b.Run("parity", func(b *testing.B) {
		var x, y parity
		x.fill(one, len(one), false)
		y.fill(other, len(other), false)
		for b.Loop() {
			x.mostShared(&y)
		}
	})
	b.Run("set", func(b *testing.B) {
		for b.Loop() {
			p.shared(other, 14845)
		}
	})
}
