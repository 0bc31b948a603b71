package jaccard

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// plainShared uses a map to count the shared elements.
func plainShared(a, b []uint64) (n int) {
	in := map[uint64]bool{}
	for _, v := range a {
		in[v] = true
	}
	for _, v := range b {
		if in[v] {
			n++
		}
	}
	return n
}

func set(v []byte, wide bool) []uint64 {
	hashes := make([]uint64, len(v))
	for i, c := range v {
		hashes[i] = uint64(c)
		if wide {
			hashes[i] *= 0x9e3779b97f4a7c15
		}
	}
	s, _ := Set(hashes, nil)
	return s
}

func FuzzShared(f *testing.F) {
	f.Add([]byte("some bytes"), []byte("other bytes"), true)
	f.Add(make([]byte, 300), []byte{}, false)
	f.Fuzz(func(t *testing.T, x, y []byte, wide bool) {
		a, b := set(x, wide), set(y, wide)
		if !slices.IsSorted(a) || len(slices.Compact(slices.Clone(a))) != len(a) {
			t.Fatalf("not a set: %v", a)
		}
		want := plainShared(a, b)
		for _, need := range []int{0, want, want + 1, 1000} {
			got := Shared(a, b, need)
			if got != want && !(got == -1 && want < need) || got == -1 && want >= need {
				t.Errorf("shared %d, want %d, need %d", got, want, need)
			}
		}
	})
}

func TestSet(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 63, 64, 1000, 50000} {
		for _, bits := range []int{4, 30, 64} {
			in := make([]uint64, n)
			for i := range in {
				in[i] = r.Uint64() >> (64 - bits)
			}
			want := slices.Clone(in)
			slices.Sort(want)
			if got, _ := Set(in, nil); !slices.Equal(got, slices.Compact(want)) {
				t.Errorf("n %d, bits %d: wrong set", n, bits)
			}
		}
	}
}

func TestNeed(t *testing.T) {
	for na := range 40 {
		for nb := range 40 {
			for _, threshold := range []float64{0, .1, .5, .7, .8, .9, 1} {
				need := Resemblance.Need(na, nb, threshold, 0)
				for shared := range min(na, nb) + 1 {
					if (Similarity(na, nb, shared) >= threshold) != (shared >= need) {
						t.Fatalf("sizes %d and %d, %v: need %d, but %d give %v", na, nb, threshold, need, shared, Similarity(na, nb, shared))
					}
				}
			}
		}
	}
}

func TestStore(t *testing.T) {
	for _, mem := range []int64{0, 2000, 1 << 30} {
		s := NewStore(50, mem)
		sets := make([][]uint64, 50)
		for i := range uint32(49) {
			sets[i] = slices.Repeat([]uint64{uint64(i)}, int(i)%20)
			if err := s.Put(i, sets[i]); err != nil {
				t.Fatal(err)
			}
		}
		if spilled := s.Spilled() > 0; spilled != (mem < 1<<30) {
			t.Errorf("mem %d: spilled %d", mem, s.Spilled())
		}
		var buf []uint64
		for i := range uint32(50) {
			var got []uint64
			var err error
			got, buf, err = s.Get(i, buf)
			if err != nil || !slices.Equal(got, sets[i]) || s.Known(i) != (i < 49) || s.Size(i) != len(sets[i]) {
				t.Errorf("mem %d: set %d is %v, %v", mem, i, got, err)
			}
		}
	}
	t.Setenv("TMPDIR", t.TempDir()+"/none")
	if NewStore(1, 0).Put(0, make([]uint64, 1<<20)) == nil {
		t.Error("no error without a scratch directory")
	}
}

func BenchmarkShared(b *testing.B) {
	for _, n := range []int{100, 1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 1))
			x := make([]uint64, n)
			for i := range x {
				x[i] = r.Uint64()
			}
			y := slices.Clone(x)
			for i := range n / 10 {
				y[i] = r.Uint64()
			}
			x, _ = Set(x, nil)
			y, _ = Set(y, nil)
			b.SetBytes(int64(16 * n))
			b.ReportAllocs()
			for b.Loop() {
				Shared(x, y, 0)
			}
		})
	}
}

func BenchmarkSet(b *testing.B) {
	in := make([]uint64, 1000)
	for i := range in {
		in[i] = rand.Uint64()
	}
	work, tmp := make([]uint64, len(in)), make([]uint64, len(in))
	b.SetBytes(int64(8 * len(in)))
	b.ReportAllocs()
	for b.Loop() {
		copy(work, in)
		_, tmp = Set(work, tmp)
	}
}
