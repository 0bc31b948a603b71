package simhash

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"
)

// plainRotation is the oracle for Rotation. Like dedup.py, it sorts, compares and rotates all
// hashes, once per bit.
func plainRotation(hashes []Hash, width, limit, window int) (pairs []Pair) {
	type doc struct {
		hash Hash
		at   int
	}
	docs := make([]doc, len(hashes))
	for i, h := range hashes {
		docs[i] = doc{h, i}
	}
	seen := map[[2]int]bool{}
	for r := range width {
		sort.SliceStable(docs, func(i, j int) bool {
			a, b := docs[i].hash, docs[j].hash
			return a.Hi < b.Hi || a.Hi == b.Hi && a.Lo < b.Lo
		})
		for i := range docs {
			for j := i + 1; j < i+window && j < len(docs); j++ {
				a, b := min(docs[i].at, docs[j].at), max(docs[i].at, docs[j].at)
				d := distance(docs[i].hash, docs[j].hash)
				if d > limit || seen[[2]int{a, b}] {
					continue
				}
				seen[[2]int{a, b}] = true
				pairs = append(pairs, Pair{uint32(a), uint32(b), uint8(d), uint8(r)})
			}
		}
		for i := range docs {
			docs[i].hash = docs[i].hash.RotateRight(1, width)
		}
	}
	return pairs
}

func plainAll(hashes []Hash, limit int) (pairs []Pair) {
	for a := range hashes {
		for b := a + 1; b < len(hashes); b++ {
			if d := distance(hashes[a], hashes[b]); d <= limit {
				pairs = append(pairs, Pair{A: uint32(a), B: uint32(b), Distance: uint8(d)})
			}
		}
	}
	return pairs
}

type search func([]Hash, func(Pair) error) error

func collect(t testing.TB, find search, hashes []Hash) (pairs []Pair) {
	t.Helper()
	err := find(hashes, func(p Pair) error {
		pairs = append(pairs, p)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return pairs
}

func sorted(pairs []Pair) []Pair {
	slices.SortFunc(pairs, func(p, q Pair) int { return cmp.Or(cmp.Compare(p.A, q.A), cmp.Compare(p.B, q.B)) })
	return pairs
}

// clusteredHashes returns n hashes in clusters. About a quarter of the hashes are random; each of
// the others is an earlier hash with up to six bits flipped.
func clusteredHashes(rnd *rand.Rand, n, width int) []Hash {
	hashes := make([]Hash, n)
	for i := range hashes {
		h := Hash{rnd.Uint64(), rnd.Uint64()}
		if i > 0 && rnd.IntN(4) > 0 {
			h = hashes[rnd.IntN(i)]
			for range rnd.IntN(7) {
				h = flipBit(h, rnd.IntN(width))
			}
		}
		hashes[i] = fit(h, width)
	}
	return hashes
}

func flipBit(h Hash, bit int) Hash {
	if bit >= 64 {
		return Hash{h.Hi ^ 1<<(bit-64), h.Lo}
	}
	return Hash{h.Hi, h.Lo ^ 1<<bit}
}

func fit(h Hash, width int) Hash {
	switch width {
	case 32:
		return Hash{Lo: h.Lo & math.MaxUint32}
	case 64:
		return Hash{Lo: h.Lo}
	}
	return h
}

// TestSearches compares the three searches with their oracles, on clustered hashes of every width,
// with different numbers of goroutines and amounts of memory.
func TestSearches(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for _, width := range []int{32, 64, 128} {
		for _, n := range []int{0, 1, 2, 65, 1000} {
			for _, limit := range []int{-1, 0, 1, 3, 6, width / 4} {
				hashes := clusteredHashes(rnd, n, width)
				for _, s := range []Search{{width, limit, 1, 1 << 20}, {width, limit, 3, 1000}} {
					checkSearches(t, s, hashes)
				}
			}
		}
	}
}

func checkSearches(t *testing.T, s Search, hashes []Hash) {
	t.Helper()
	all := plainAll(hashes, s.Max)
	if got := collect(t, s.All, hashes); !slices.Equal(got, all) {
		t.Fatalf("%+v, %d hashes: All has %d pairs, want %d", s, len(hashes), len(got), len(all))
	}
	within := collect(t, s.Within, hashes)
	alone := Search{s.Width, s.Max, 1, 1 << 30}
	if again := collect(t, alone.Within, hashes); !slices.Equal(within, again) {
		t.Fatalf("%+v, %d hashes: the order of Within changes", s, len(hashes))
	}
	if !slices.Equal(sorted(within), all) {
		t.Fatalf("%+v, %d hashes: Within has %d pairs, want %d", s, len(hashes), len(within), len(all))
	}
	for _, window := range []int{2, 5} {
		rotation := func(h []Hash, emit func(Pair) error) error { return s.Rotation(h, window, emit) }
		if got := collect(t, rotation, hashes); !slices.Equal(got, plainRotation(hashes, s.Width, s.Max, window)) {
			t.Fatalf("%+v, window %d, %d hashes: Rotation has %v", s, window, len(hashes), got)
		}
	}
}

// TestWithinNarrow checks Within on hashes that share most of their bits, so that the search
// recurses.
func TestWithinNarrow(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	hashes := make([]Hash, 20_000)
	for i := range hashes {
		hashes[i] = Hash{Lo: rnd.Uint64() & 0x000fff00000fff00}
	}
	s := Search{64, 2, 2, 1 << 18}
	if got, want := sorted(collect(t, s.Within, hashes)), collect(t, s.All, hashes); !slices.Equal(got, want) {
		t.Fatalf("%d pairs, want %d", len(got), len(want))
	}
}

func FuzzSearches(f *testing.F) {
	f.Add([]byte("the cat sat in the hat, the cat sat on the mat"), uint8(1), uint8(9))
	f.Add(make([]byte, 200), uint8(2), uint8(0))
	f.Fuzz(func(t *testing.T, data []byte, choice, limit uint8) {
		width := 32 << (choice % 3)
		var hashes []Hash
		for len(data) >= 4 && len(hashes) < 300 {
			x := uint64(binary.LittleEndian.Uint32(data))
			// Only a few bits, spread over the width, can be set, so the hashes are close to each
			// other.
			hashes, data = append(hashes, fit(Hash{x << 20 & 0xff0ff, x & 0xf << (x >> 28)}, width)), data[1:]
		}
		checkSearches(t, Search{width, int(limit) % width, 1 + int(choice)%2, int64(choice)}, hashes)
	})
}

var errStop = errors.New("stop")

// TestEmitError checks that every search stops at an error from emit and returns it.
func TestEmitError(t *testing.T) {
	hashes := clusteredHashes(rand.New(rand.NewPCG(7, 8)), 500, 64)
	s := Search{64, 4, 2, 1 << 20}
	rotation := func(h []Hash, emit func(Pair) error) error { return s.Rotation(h, 2, emit) }
	for i, find := range []search{rotation, s.Within, s.All} {
		calls := 0
		err := find(hashes, func(Pair) error {
			if calls++; calls == 3 {
				return errStop
			}
			return nil
		})
		if err != errStop || calls != 3 {
			t.Errorf("search %d: %v after %d calls", i, err, calls)
		}
	}
}

func TestMaxDistance(t *testing.T) {
	for _, c := range []struct {
		fraction float64
		width    int
		want     int
	}{{0.25, 32, 7}, {0.33, 128, 42}, {0, 64, -1}, {-1, 64, -1}, {0.1, 128, 12}, {1, 32, 31}, {2, 32, 32}, {0.001, 32, 0}, {math.NaN(), 32, -1}} {
		if got := MaxDistance(c.fraction, c.width); got != c.want {
			t.Errorf("MaxDistance(%v, %d) = %d, want %d", c.fraction, c.width, got, c.want)
		}
	}
}

func TestRotateRight(t *testing.T) {
	h := Hash{0x0123456789abcdef, 0xfedcba9876543211}
	for _, width := range []int{32, 64, 128} {
		x := fit(h, width)
		for n := range width {
			if got := fit(h, width).RotateRight(n, width); got != x {
				t.Fatalf("width %d: rotated by %d: %x, want %x", width, n, got, x)
			}
			low := x.Lo & 1
			x = Hash{x.Hi >> 1, x.Lo>>1 | x.Hi<<63}
			if low == 1 {
				x = flipBit(x, width-1)
			}
		}
	}
}

func random(n, width int) []Hash {
	rnd := rand.New(rand.NewPCG(1, 1))
	hashes := make([]Hash, n)
	for i := range hashes {
		hashes[i] = fit(Hash{rnd.Uint64(), rnd.Uint64()}, width)
	}
	return hashes
}

func benchmark(b *testing.B, n, width int, find search) {
	hashes := random(n, width)
	b.Run(fmt.Sprintf("n=%d/bits=%d", n, width), func(b *testing.B) {
		b.SetBytes(int64(n * width / 8))
		b.ReportAllocs()
		for b.Loop() {
			collect(b, find, hashes)
		}
	})
}

func BenchmarkRotation(b *testing.B) {
	for _, width := range []int{64, 128} {
		s := Search{Width: width, Max: 12}
		benchmark(b, 128_959, width, func(h []Hash, emit func(Pair) error) error { return s.Rotation(h, 2, emit) })
	}
}

func BenchmarkAll(b *testing.B) {
	benchmark(b, 20_000, 64, Search{64, 3, 1, 0}.All)
	benchmark(b, 20_000, 128, Search{128, 12, 1, 0}.All)
}

func BenchmarkWithin(b *testing.B) {
	for _, n := range []int{100_000, 1_000_000, 10_000_000} {
		benchmark(b, n, 64, Search{64, 3, 2, 256 << 20}.Within)
	}
}
