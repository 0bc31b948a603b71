package jaccard

import (
	"math/rand/v2"
	"testing"
)

// templates returns n sets made from a few templates. Each set has most elements of its
// template, and some elements that few other sets have.
func templates(r *rand.Rand, n, templates, common, own int) (sets [][]uint64) {
	all := make([][]uint64, templates)
	for i := range all {
		for range common {
			all[i] = append(all[i], r.Uint64())
		}
	}
	for range n {
		var set []uint64
		for _, x := range all[r.IntN(templates)] {
			if r.IntN(50) > 0 {
				set = append(set, x)
			}
		}
		for range own {
			x := r.Uint64()
			if r.IntN(4) == 0 {
				x = x % 64 << 50
			}
			set = append(set, x)
		}
		set, _ = Set(set, nil)
		sets = append(sets, set)
	}
	return sets
}

// FuzzCodes compares Codes with Shared, before and after the lists are shortened, for various
// amounts of memory.
func FuzzCodes(f *testing.F) {
	f.Add(uint64(1), uint8(40), uint8(2), uint8(60), uint8(10), uint32(1<<20), uint8(10))
	f.Add(uint64(2), uint8(90), uint8(100), uint8(30), uint8(30), uint32(1<<20), uint8(50))
	f.Add(uint64(3), uint8(60), uint8(3), uint8(64), uint8(0), uint32(1<<13), uint8(0))
	f.Add(uint64(4), uint8(20), uint8(1), uint8(0), uint8(200), uint32(0), uint8(3))
	f.Fuzz(func(t *testing.T, seed uint64, n, temps, common, own uint8, mem uint32, shorten uint8) {
		r := rand.New(rand.NewPCG(seed, 1))
		sets := templates(r, int(n), int(max(temps, 1)), int(common), int(own))
		c := NewCodes(int64(mem))
		numbers := make([]int, len(sets))
		for i, a := range sets {
			if i == int(shorten) {
				again := NewRepeated(int64(mem), 1<<16)
				for _, set := range sets {
					again.Add(set)
				}
				c.Shorten(again)
			}
			c.Begin()
			for j, b := range sets[:i] {
				if numbers[j] < 0 {
					continue
				}
				shared := Shared(a, b, 0)
				for _, need := range []int{0, shared, shared + 1, r.IntN(1 + min(len(a), len(b)))} {
					if got, want := c.Shared(a, numbers[j], need), Shared(a, b, need); got != want {
						t.Fatalf("sets %d and %d, at least %d: %d shared, want %d", i, j, need, got, want)
					}
				}
			}
			numbers[i] = -1
			if number, ok := c.Encode(a); ok {
				numbers[i] = number
			}
		}
	})
}

func BenchmarkCodes(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	sets := templates(r, 800, 1, 0, 40)
	template := make([]uint64, 296)
	for i := range template {
		template[i] = r.Uint64()
	}
	again := NewRepeated(800*336, 1<<30)
	for i := range sets {
		sets[i], _ = Set(append(append([]uint64(nil), sets[i]...), template...), nil)
		again.Add(sets[i])
	}
	c := NewCodes(1 << 30)
	for _, s := range sets {
		if _, ok := c.Encode(s); !ok {
			b.Fatal("no code")
		}
	}
	need := Resemblance.Need(336, 336, .8, 0)
	b.Run("merged", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			Shared(sets[1], sets[i%800], need)
		}
	})
	b.Run("lists", func(b *testing.B) {
		c.Begin()
		for i := 0; b.Loop(); i++ {
			c.Shared(sets[1], i%800, need)
		}
	})
	b.Run("shortened", func(b *testing.B) {
		c.Shorten(again)
		for i := 0; b.Loop(); i++ {
			c.Shared(sets[1], i%800, need)
		}
	})
	b.Run("encode", func(b *testing.B) {
		for b.Loop() {
			var e code
			e.encode(sets[1], sets[0], nil)
		}
	})
}

// TestEncode checks that a set similar to one of the two latest pivots is encoded relative to
// that pivot, and that memory is bounded.
func TestEncode(t *testing.T) {
	sets := templates(rand.New(rand.NewPCG(1, 1)), 300, 2, 100, 10)
	for _, mem := range []int64{1 << 24, 1 << 14, 0} {
		c, held, full := NewCodes(mem), 0, false
		for i, s := range sets {
			if number, ok := c.Encode(s); ok && number != i && !full {
				t.Errorf("%d bytes: set %d has number %d", mem, i, number)
			} else if !ok {
				full = true
			}
		}
		for _, p := range c.pivots {
			held += 8 * len(p.set)
		}
		for _, e := range c.codes {
			held += 8 * (len(e.bits) + len(e.list))
		}
		if int64(held) > mem || full != (mem < 1<<24) || mem > 0 && len(c.pivots) != 2 {
			t.Errorf("%d bytes: %d are held by %d pivots and %d codes", mem, held, len(c.pivots), len(c.codes))
		}
	}
}
