package spill

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

func sorted(a [][2]uint64) [][2]uint64 {
	a = slices.Clone(a)
	slices.SortStableFunc(a, func(x, y [2]uint64) int { return cmp.Compare(x[0], y[0]) })
	return a
}

func TestSorter(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var room Room[[2]uint64] // of them all: what was in it before is gone
	for _, n := range []int{0, 1, 63, 64, 100000, 5000} {
		for _, mem := range []int64{0, 1 << 18, 1 << 30} {
			for _, bits := range []int{3, 40, 64} {
				in := make([][2]uint64, n)
				s := NewSorter[[2]uint64](4, mem)
				for i := range in {
					in[i] = [2]uint64{r.Uint64() >> (64 - bits), uint64(i)}
					if err := s.Add(int(in[i][0]>>(bits-2)), in[i]); err != nil {
						t.Fatal(err)
					}
				}
				if spilled := s.Spilled() > 0; spilled != (mem == 0 && n > 8 || mem == 1<<18 && n > 5000) {
					t.Errorf("n %d, mem %d: spilled %d", n, mem, s.Spilled())
				}
				var got [][2]uint64
				for p := range s.Partitions() {
					part, err := s.SortedIn(&room, p)
					if err != nil {
						t.Fatal(err)
					}
					got = append(got, part...)
				}
				if !slices.Equal(got, sorted(in)) || s.Len() != int64(n) {
					t.Errorf("n %d, mem %d, bits %d: wrong order", n, mem, bits)
				}
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

func TestEach(t *testing.T) {
	for _, mem := range []int64{0, 1 << 30} {
		s := NewSorter[[3]uint64](3, mem)
		for i := range uint64(10000) {
			if err := s.Add(int(i%3), [3]uint64{i * 7919 % 1000, i, ^i}); err != nil {
				t.Fatal(err)
			}
		}
		for p := range 3 {
			want := uint64(p)
			err := s.Each(p, func(e [3]uint64) error {
				if e != [3]uint64{want * 7919 % 1000, want, ^want} {
					return fmt.Errorf("entry %d is %d", want, e)
				}
				want += 3
				return nil
			})
			if err != nil || int(want)/3 != s.PartLen(p) {
				t.Errorf("mem %d, partition %d: %d of %d, %v", mem, p, want/3, s.PartLen(p), err)
			}
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

func BenchmarkSorter(b *testing.B) {
	const n = 1 << 18
	b.SetBytes(n * 16)
	b.ReportAllocs()
	for b.Loop() {
		s := NewSorter[[2]uint64](16, n*4)
		for i := range uint64(n) {
			if err := s.Add(int(i&15), [2]uint64{i * 0x9e3779b97f4a7c15, i}); err != nil {
				b.Fatal(err)
			}
		}
		for p := range 16 {
			if _, err := s.Sorted(p); err != nil {
				b.Fatal(err)
			}
		}
		s.Close()
	}
}
