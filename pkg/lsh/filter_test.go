package lsh

import (
	"math"
	"testing"
)

// TestFilter checks that filters of various sizes pass all added buckets, and about the
// documented fraction of other buckets.
func TestFilter(t *testing.T) {
	for _, tc := range []struct {
		mem   int64
		added uint64
	}{{0, 3}, {8, 100}, {1 << 10, 512}, {1 << 10, 1600}, {1<<10 + 7, 100}} {
		f := NewFilter(tc.mem)
		for i := range tc.added {
			f.Add(i * 7)
		}
		for i := range tc.added {
			if !f.Has(i * 7) {
				t.Fatalf("%+v: %d was added", tc, i*7)
			}
		}
		through, others := 0, 20000
		for i := range uint64(others) {
			if f.Has(1<<40 + i) {
				through++
			}
		}
		m := 64 * float64(len(f.words))
		want := math.Pow(1-math.Exp(-filterBits*float64(tc.added)/m), filterBits)
		if got := float64(through) / float64(others); math.Abs(got-want) > 0.1*want+0.02 {
			t.Errorf("%+v: %.4f of the others let through, want %.4f", tc, got, want)
		}
	}
}
