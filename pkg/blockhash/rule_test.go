package blockhash

import (
	"math/big"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSpans(t *testing.T) {
	const b = 10
	seed := Rule{Selection: Published, Block: b, Count: 3}
	blocks := func(n int) Rule { return Rule{Selection: Blocks, Block: b, Count: n} }
	whole := func(n int64) []Span { return []Span{{0, n}} }
	for _, tc := range []struct {
		rule Rule
		size int64
		want []Span
	}{
		{seed, 0, whole(0)},
		{seed, b - 1, whole(b - 1)},
		{seed, b, whole(b)},
		{seed, b + 1, []Span{{1, b}}},
		{seed, 2 * b, []Span{{b, b}}},
		{seed, 2*b + 1, []Span{{0, b}, {b, b}, {b + 1, b}}},
		{seed, 3*b - 1, []Span{{0, b}, {14, b}, {19, b}}},
		{seed, 3 * b, []Span{{0, b}, {15, b}, {20, b}}},
		{Rule{Selection: Moved, Block: b, Count: 3}, b, whole(b)},
		{Rule{Selection: Moved, Block: b, Count: 3}, b + 1, []Span{{0, b}}},
		{Rule{Selection: Moved, Block: b, Count: 3, Offset: 4}, 2 * b, []Span{{4, b}}},
		{Rule{Selection: Moved, Block: b, Count: 3, Offset: 14}, 2 * b, []Span{{b, b}}},
		{Rule{Selection: Moved, Block: b, Count: 3}, 3 * b, []Span{{0, b}, {15, b}, {20, b}}},
		{blocks(3), b - 1, whole(b - 1)},
		{blocks(3), b + 1, whole(b + 1)},
		{blocks(3), 2 * b, whole(2 * b)},
		{blocks(3), 2*b + 1, []Span{{0, b}, {b, b}, {b + 1, b}}},
		{blocks(3), 1001, []Span{{0, b}, {500, b}, {991, b}}},
		{blocks(1), b, whole(b)},
		{blocks(1), b + 1, []Span{{0, b}}},
		{Rule{Selection: Blocks, Block: b, Count: 1, Offset: 7}, 100, []Span{{7, b}}},
		{Rule{Selection: Blocks, Block: b, Count: 1, Offset: 95}, 100, []Span{{90, b}}},
		{Rule{Selection: Blocks, Block: b, Count: 1, Offset: 7}, b, whole(b)},
		{blocks(2), b, whole(b)},
		{blocks(2), b + 1, []Span{{0, b}, {1, b}}},
		{blocks(5), 4 * b, whole(4 * b)},
		{blocks(5), 1003, []Span{{0, b}, {250, b}, {501, b}, {752, b}, {993, b}}},
		{Rule{Selection: Full, Block: b, Count: 3}, 1000, whole(1000)},
	} {
		if d := cmp.Diff(tc.want, tc.rule.Spans(nil, tc.size)); d != "" {
			t.Errorf("%s, size %d (-want +got):\n%s", tc.rule, tc.size, d)
		}
	}
}

// FuzzSpans checks that spans are inside the file, that interior blocks start where exact
// arithmetic puts them, and that no byte of a small file is left out.
func FuzzSpans(f *testing.F) {
	f.Add(int64(1)<<62, int64(4096), 7)
	f.Add(int64(20), int64(10), 3)
	f.Fuzz(func(t *testing.T, size, block int64, count int) {
		if size < 0 || block < 1 || block > 1<<30 || count < 1 || count > 1000 {
			t.Skip()
		}
		r := Rule{Selection: Blocks, Block: block, Count: count}
		spans, read := r.Spans(nil, size), int64(0)
		for i, s := range spans {
			if s.Off < 0 || s.Len < 0 || s.Off+s.Len > size {
				t.Errorf("%v is not inside %d bytes", s, size)
			}
			if len(spans) > 1 && i < len(spans)-1 && s.Off != exactOffset(size, i, count-1) {
				t.Errorf("block %d at %d, want %d", i, s.Off, exactOffset(size, i, count-1))
			}
			read += s.Len
		}
		if read > r.Most() || size <= block*int64(count-1) && read != size {
			t.Errorf("%d bytes of %d are read, at most %d", read, size, r.Most())
		}
	})
}

func exactOffset(size int64, i, parts int) int64 {
	x := new(big.Int).Mul(big.NewInt(size), big.NewInt(int64(i)))
	return x.Div(x, big.NewInt(int64(parts))).Int64()
}
