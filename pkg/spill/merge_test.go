package spill

import (
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// FuzzMerged checks that Merged gives the same result as a sort of the whole partition.
func FuzzMerged(f *testing.F) {
	f.Add(uint64(1), uint16(0), uint32(1<<20), uint16(3), uint64(5))
	f.Add(uint64(2), uint16(60_000), uint32(1<<10), uint16(500), uint64(9_000))
	f.Add(uint64(3), uint16(60_000), uint32(1), uint16(40_000), ^uint64(0))
	f.Add(uint64(4), uint16(50_000), uint32(1<<16), uint16(20_000), uint64(2))
	f.Fuzz(func(t *testing.T, seed uint64, n uint16, mem uint32, most uint16, keys uint64) {
		r := rand.New(rand.NewPCG(seed, 1))
		s := NewSorter[[2]uint64](2, int64(mem))
		for i := range n {
			if err := s.Add(1, [2]uint64{r.Uint64N(max(1, keys)), uint64(i)}); err != nil {
				t.Fatal(err)
			}
		}
		var got [][2]uint64
		if err := s.Merged(1, max(1000, int(most)), func(piece [][2]uint64) error {
			if len(got) > 0 && got[len(got)-1][0] == piece[0][0] {
				t.Errorf("%d is in two pieces", piece[0])
			}
			got = append(got, piece...)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		want, err := s.Sorted(1)
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("%d entries, %v, want %d in order", len(got), err, len(want))
		}
	})
}

func TestMergedErrors(t *testing.T) {
	stop := errors.New("stop")
	s := NewSorter[[1]uint64](1, 1<<20)
	for i := range uint64(3 * bufferSize / 8) {
		if err := s.Add(0, [1]uint64{i}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Merged(0, 10_000, func([][1]uint64) error { return stop }); err != stop {
		t.Errorf("fn failed, and then %v", err)
	}
	t.Setenv("TMPDIR", t.TempDir()+"/none")
	if err := s.Merged(0, 10_000, func([][1]uint64) error { return nil }); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without a scratch directory: %v", err)
	}
}

func BenchmarkMerged(b *testing.B) {
	s := NewSorter[[1]uint64](1, 64<<20)
	const n = 4 << 20
	r := rand.New(rand.NewPCG(1, 1))
	for range n {
		s.Add(0, [1]uint64{r.Uint64()})
	}
	b.SetBytes(8 * n)
	for b.Loop() {
		s.Merged(0, n/24, func([][1]uint64) error { return nil })
	}
}
