package substr

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

// plainBlocks is the oracle for Blocks. It finds the longest common substring by exhaustive search,
// and then recurses into both sides.
func plainBlocks[T Symbol](a, b []T, least int) []Match {
	var best Match
	for i := range a {
		for j := range b {
			n := 0
			for i+n < len(a) && j+n < len(b) && a[i+n] == b[j+n] {
				n++
			}
			if n > best.Size {
				best = Match{i, j, n}
			}
		}
	}
	if best.Size < max(1, least) {
		return nil
	}
	found := append(plainBlocks(a[:best.A], b[:best.B], least), best)
	for _, m := range plainBlocks(a[best.A+best.Size:], b[best.B+best.Size:], least) {
		found = append(found, Match{m.A + best.A + best.Size, m.B + best.B + best.Size, m.Size})
	}
	return found
}

// plainMaximal is the oracle for Maximal. It tries every pair of offsets.
func plainMaximal[T Symbol](a, b []T, least int) (found []Match) {
	for i := range a {
		for j := range b {
			if i > 0 && j > 0 && a[i-1] == b[j-1] {
				continue
			}
			n := 0
			for i+n < len(a) && j+n < len(b) && a[i+n] == b[j+n] {
				n++
			}
			if n >= max(1, least) {
				found = append(found, Match{i, j, n})
			}
		}
	}
	return found
}

func maximal[T Symbol](a, b []T, least int) (found []Match) {
	Maximal(a, b, least, func(m Match) error {
		found = append(found, m)
		return nil
	})
	return found
}

func check[T Symbol](t *testing.T, a, b []T, least int) {
	t.Helper()
	if got, want := Blocks(a, b, least), plainBlocks(a, b, least); !slices.Equal(got, want) {
		t.Fatalf("Blocks(%v, %v, %d) = %v, want %v", a, b, least, got, want)
	}
	if got, want := maximal(a, b, least), plainMaximal(a, b, least); !slices.Equal(got, want) {
		t.Fatalf("Maximal(%v, %v, %d) = %v, want %v", a, b, least, got, want)
	}
	if len(b) < 200 && least <= 1 {
		if got, want := Difflib(a, b), plainBlocks(a, b, least); !slices.Equal(got, want) {
			t.Fatalf("Difflib(%v, %v) = %v, want %v", a, b, got, want)
		}
	}
}

func TestBlocks(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 4000 {
		k := 1 + rnd.IntN(5)
		a, b := make([]rune, rnd.IntN(50)), make([]rune, rnd.IntN(50))
		for i := range a {
			a[i] = rune(rnd.IntN(k) * 100)
		}
		for i := range b {
			b[i] = rune(rnd.IntN(k) * 100)
		}
		check(t, a, b, rnd.IntN(5))
	}
}

// TestMaximalOfParts checks matches that are long enough for Maximal to look for shared windows first:
// copied passages between symbols that occur in one text or in both, and passages that overlap, repeat
// themselves, or begin or end a text.
func TestMaximalOfParts(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 1500 {
		least, k := shortWindow+rnd.IntN(8), 1+rnd.IntN(300)
		pool := make([]rune, 60)
		for i := range pool {
			pool[i] = rune(rnd.IntN(k))
		}
		write := func() (text []rune) {
			for range rnd.IntN(8) {
				start := rnd.IntN(len(pool))
				text = append(text, pool[start:start+rnd.IntN(len(pool)-start+1)]...)
				for range rnd.IntN(6) {
					text = append(text, rune(rnd.IntN(2*k)))
				}
			}
			return text
		}
		a, b := write(), write()
		if got, want := maximal(a, b, least), plainMaximal(a, b, least); !slices.Equal(got, want) {
			t.Fatalf("Maximal(%v, %v, %d) = %v, want %v", a, b, least, got, want)
		}
	}
}

// TestBlocksAlphabets checks Blocks on texts whose numbers of distinct symbols are near the limits
// of 8-bit and 16-bit codes.
func TestBlocksAlphabets(t *testing.T) {
	for _, k := range []int{2, 255, 256, 257, 65535, 65536, 70000} {
		a := make([]rune, k)
		for i := range a {
			a[i] = rune(i)
		}
		b := slices.Concat(a[k/2:], a[:k/2])
		want := []Match{{0, k - k/2, k / 2}}
		if k%2 == 1 {
			want = []Match{{k / 2, 0, k - k/2}}
		}
		if got := Blocks(a, b, 1); !slices.Equal(got, want) {
			t.Errorf("%d symbols: got %v, want %v", k, got, want)
		}
	}
}

func FuzzBlocks(f *testing.F) {
	f.Add([]byte("the cat sat in the hat\n"), []byte("the cat sat on the mat\n"), uint8(5))
	f.Add([]byte("ababababab"), []byte("abababcabab"), uint8(1))
	f.Add(bytes.Repeat([]byte("x"), 70), bytes.Repeat([]byte("xxy"), 20), uint8(2))
	f.Add([]byte("tide"), []byte("diet"), uint8(0))
	f.Fuzz(func(t *testing.T, a, b []byte, least uint8) {
		if len(a) <= 200 && len(b) <= 200 {
			check(t, a, b, int(least%8))
		}
	})
}

func TestLargest(t *testing.T) {
	in := []Match{{0, 0, 1}, {2, 2, 3}, {6, 6, 3}, {10, 10, 2}}
	for _, c := range []struct {
		n    int
		want []Match
	}{{-1, []Match{in[1], in[2], in[3], in[0]}}, {0, []Match{}}, {2, in[1:3]}, {9, []Match{in[1], in[2], in[3], in[0]}}} {
		if got := Largest(slices.Clone(in), c.n); !slices.Equal(got, c.want) {
			t.Errorf("Largest(%d) = %v, want %v", c.n, got, c.want)
		}
	}
}

// checkShape checks that blocks are in order, do not overlap, and are equal in both texts.
func checkShape(t *testing.T, a, b []byte, found []Match) {
	t.Helper()
	var last Match
	for _, m := range found {
		if m.A < last.A+last.Size || m.B < last.B+last.Size || m.Size < 1 {
			t.Fatalf("%v after %v", m, last)
		}
		if !bytes.Equal(a[m.A:m.A+m.Size], b[m.B:m.B+m.Size]) {
			t.Fatalf("%v is no match", m)
		}
		last = m
	}
}

// hardPairs returns pairs of texts of about n bytes, including pairs that took other
// implementations minutes.
func hardPairs(n int) map[string][2][]byte {
	lines := func(from, step int) []byte {
		var buf bytes.Buffer
		for i := from; buf.Len() < n; i += step {
			fmt.Fprintf(&buf, "line %08d of a log that says the same thing\n", i)
		}
		return buf.Bytes()
	}
	fibonacci := func(x, y string) []byte {
		for len(x) < n {
			x, y = x+y, x
		}
		return []byte(x[:n])
	}
	falling := func(end string) []byte { // returns blocks, each longer than all later blocks
		var buf bytes.Buffer
		for size := 1; buf.Len() < n; size++ {
			buf.WriteString(strings.Repeat("a", size) + end)
		}
		text := buf.Bytes()
		slices.Reverse(text)
		return text
	}
	return map[string][2][]byte{
		"edited":     {sample(n, 1), editBytes(sample(n, 1), n/1000)},
		"unrelated":  {sample(n, 1), sample(n, 2)},
		"same":       {sample(n, 1), sample(n, 1)},
		"one letter": {bytes.Repeat([]byte("a"), n), bytes.Repeat([]byte("a"), n-n/7)},
		"period":     {bytes.Repeat([]byte("abcdefg"), n/7), editBytes(bytes.Repeat([]byte("abcdefg"), n/7), 1000)},
		"lines":      {lines(0, 1), lines(5, 3)},
		"moved":      {lines(0, 1), append(lines(n, 1), lines(0, 1)[:n/2]...)},
		"fibonacci":  {fibonacci("a", "b"), fibonacci("b", "ab")},
		"falling":    {falling("b"), falling("c")},
		"swapped":    {sample(n, 1), append(sample(n, 1)[n/2:], sample(n, 1)[:n/2]...)},
	}
}

// editBytes changes, removes and inserts bytes at n places.
func editBytes(text []byte, n int) []byte {
	rnd := rand.New(rand.NewPCG(3, 4))
	places := make([]int, n)
	for i := range places {
		places[i] = rnd.IntN(len(text))
	}
	slices.Sort(places)
	out, from := []byte(nil), 0
	for _, p := range places {
		out = append(out, text[from:max(from, p)]...)
		switch from = max(from, p); rnd.IntN(3) {
		case 0:
			out = append(out, 'X')
		case 1:
			from = min(from+1, len(text))
		default:
			out = append(out, "0123456789"[:rnd.IntN(10)]...)
		}
	}
	return append(out, text[from:]...)
}

func TestHard(t *testing.T) {
	for name, pair := range hardPairs(100_000) {
		t.Run(name, func(t *testing.T) {
			checkShape(t, pair[0], pair[1], Blocks(pair[0], pair[1], 5))
		})
	}
	for name, pair := range hardPairs(400) {
		t.Run("small "+name, func(t *testing.T) {
			for _, least := range []int{1, 5, 20} {
				if got, want := Blocks(pair[0], pair[1], least), plainBlocks(pair[0], pair[1], least); !slices.Equal(got, want) {
					t.Errorf("least %d: got %v, want %v", least, got, want)
				}
			}
		})
	}
}

func BenchmarkBlocks(b *testing.B) {
	size := 70_000
	if os.Getenv("LARGE") != "" {
		size = 10_000_000
	}
	pairs := hardPairs(size)
	names := []string{}
	for name := range pairs {
		names = append(names, name)
	}
	slices.SortFunc(names, cmp.Compare)
	for _, name := range names {
		pair := pairs[name]
		b.Run(fmt.Sprintf("pair=%s/n=%d", strings.ReplaceAll(name, " ", "-"), size), func(b *testing.B) {
			b.SetBytes(int64(len(pair[0]) + len(pair[1])))
			b.ReportAllocs()
			for b.Loop() {
				Blocks(pair[0], pair[1], 5)
			}
		})
	}
}

func BenchmarkDifflib(b *testing.B) {
	pair := hardPairs(20_000)["edited"]
	b.SetBytes(int64(len(pair[0]) + len(pair[1])))
	b.ReportAllocs()
	for b.Loop() {
		Difflib(pair[0], pair[1])
	}
}
