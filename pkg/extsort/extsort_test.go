package extsort

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// sorted is the oracle: a stable sort of everything.
func sorted(a [][2]uint64) [][2]uint64 {
	a = slices.Clone(a)
	slices.SortStableFunc(a, func(x, y [2]uint64) int { return cmp.Compare(x[0], y[0]) })
	return a
}

func TestSorter(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 63, 64, 5000, 100000} {
		for _, mem := range []int64{0, 1 << 18, 1 << 30} {
			for _, bits := range []int{3, 40, 64} {
				in := make([][2]uint64, n)
				s := New[[2]uint64](4, mem)
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
					part, err := s.Sorted(p)
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

// Each gives the entries of a partition as they came, spilled or not.
func TestEach(t *testing.T) {
	for _, mem := range []int64{0, 1 << 30} {
		s := New[[3]uint64](3, mem)
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

func TestSpool(t *testing.T) {
	s, err := NewSpool[[1]uint64]()
	if err != nil {
		t.Fatal(err)
	}
	const n = 100001
	for i := range uint64(n) {
		s.Add([1]uint64{i})
	}
	for range 2 {
		want := uint64(0)
		err := s.Each(func(e [1]uint64) error {
			if e[0] != want {
				return fmt.Errorf("entry %d is %d", want, e[0])
			}
			want++
			return nil
		})
		if err != nil || want != n || s.Len() != n {
			t.Error(want, err)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := s.Each(func([1]uint64) error { return nil }); err == nil {
		t.Error("reading a closed spool is no error")
	}
}

func TestNoScratch(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()+"/none")
	s := New[[1]uint64](1, 0)
	var err error
	for i := 0; i < 10000 && err == nil; i++ {
		err = s.Add(0, [1]uint64{uint64(i)})
	}
	if err == nil {
		t.Error("no error without a scratch directory")
	}
	if _, err := NewSpool[[1]uint64](); err == nil {
		t.Error("no error without a scratch directory")
	}
}

func BenchmarkRadix(b *testing.B) {
	for _, n := range []int{1000, 100000, 1000000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 1))
			in := make([][1]uint64, n)
			for i := range in {
				in[i][0] = r.Uint64()
			}
			a, tmp := make([][1]uint64, n), make([][1]uint64, n)
			b.SetBytes(int64(8 * n))
			b.ReportAllocs()
			for b.Loop() {
				copy(a, in)
				Radix(a, tmp)
			}
		})
	}
}
