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
	var room Room[[2]uint64] // reused for all cases
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

// BenchmarkScatter adds 16 keys per record, one to a random partition of each band. A band has 256
// partitions.
func BenchmarkScatter(b *testing.B) {
	for _, records := range []int{20_000, 1_000_000} {
		b.Run(fmt.Sprint(records), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s := NewSorter[[2]uint64](16<<8, 80<<20)
				for i := range uint64(records * 16) {
					band, hash := int(i%16), i*0x9e3779b97f4a7c15
					if err := s.Add(band<<8|int(hash>>56), [2]uint64{hash, i}); err != nil {
						b.Fatal(err)
					}
				}
				s.Close()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(records*16), "ns/entry")
		})
	}
}

// FuzzSorter checks that a Sorter, with two others beside it, gives the same results as plain slices. Some of the seeds have so
// many partitions that the Sorter uses stages.
func FuzzSorter(f *testing.F) {
	f.Add(uint64(1), uint16(5000), uint16(1024), uint32(2<<20))
	f.Add(uint64(2), uint16(60000), uint16(1300), uint32(4<<20))
	f.Add(uint64(3), uint16(60000), uint16(1500), uint32(300<<10))
	f.Add(uint64(4), uint16(30000), uint16(3), uint32(1000))
	f.Fuzz(func(t *testing.T, seed uint64, n, partitions uint16, mem uint32) {
		r := rand.New(rand.NewPCG(seed, 1))
		parts := int(max(1, partitions%2048))
		s := NewSorter[uint64](parts, int64(mem))
		sorters := []*Sorter[uint64]{s, s.Beside(), s.Beside()}
		wants := make([][][]uint64, parts) // by partition and by sorter
		defer s.Close()
		for i := range uint64(n) {
			p, several, to := r.IntN(parts), []uint64{i}, r.IntN(len(sorters))
			add := func() error { return sorters[to].Add(p, i) }
			if r.IntN(4) == 0 {
				several = slices.Repeat(several, r.IntN(300))
				add = func() error { return sorters[to].AddAll(p, several) }
			}
			if wants[p] == nil {
				wants[p] = make([][]uint64, len(sorters))
			}
			if wants[p][to] = append(wants[p][to], several...); add() != nil {
				t.Fatal("not added")
			}
		}
		total := 0
		for p, want := range wants {
			want := slices.Concat(want...)
			if total += len(want); s.PartLen(p) != len(want) {
				t.Fatalf("partition %d: length %d, want %d", p, s.PartLen(p), len(want))
			}
			if got, err := s.Take(nil, p); err != nil || !slices.Equal(got, want) {
				t.Fatalf("partition %d: %d entries, %v, want %d in order", p, len(got), err, len(want))
			}
		}
		if s.Len() != int64(total) {
			t.Errorf("length %d, want %d", s.Len(), total)
		}
	})
}
