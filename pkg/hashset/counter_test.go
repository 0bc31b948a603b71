package hashset

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"doppel/pkg/digest"
)

// countOften returns the numbers that a counter reports, sorted.
func countOften(t *testing.T, n, mem int64, sums []digest.Sum) (often []int64) {
	t.Helper()
	c := NewCounter(n, mem)
	for i, s := range sums {
		if err := c.Add(s, int64(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Settle(func(number int64) error { often = append(often, number); return nil }); err != nil {
		t.Fatal(err)
	}
	slices.Sort(often)
	return often
}

// plainOften returns the numbers that countOften should return. It uses a map to count the hashes.
func plainOften(n int64, sums []digest.Sum) (often []int64) {
	counts := map[digest.Sum]int64{}
	for _, s := range sums {
		counts[s]++
	}
	for i, s := range sums {
		if counts[s] >= n {
			often = append(often, int64(i))
		}
	}
	return often
}

// TestCounter checks the results of counters against those of plainOften, for various amounts of
// memory. In two of the distributions, hashes differ in only one of their two words.
func TestCounter(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	kinds := map[string]func(k uint64) digest.Sum{
		"spread":  func(k uint64) digest.Sum { return digest.Sum{Hi: k * 0x9e3779b97f4a7c15, Lo: k} },
		"crowded": func(k uint64) digest.Sum { return digest.Sum{Hi: 5, Lo: k} },
		"low":     func(k uint64) digest.Sum { return digest.Sum{Hi: k, Lo: 7} },
	}
	for name, sum := range kinds {
		sums := make([]digest.Sum, 20_000)
		for i := range sums {
			sums[i] = sum(r.Uint64N(10_000))
		}
		for _, mem := range []int64{0, 1 << 20, 1 << 30} {
			if mem > 0 && name != "spread" {
				continue // a large table would be slow, because all these hashes have the same home
			}
			for _, n := range []int64{1, 2, 5} {
				if got, want := countOften(t, n, mem, sums), plainOften(n, sums); !slices.Equal(got, want) {
					t.Errorf("%s, %d times, mem %d: %d hashes, want %d", name, n, mem, len(got), len(want))
				}
			}
		}
	}
}

// TestCounterErrors checks that errors of the callback and of the spill file are returned.
func TestCounterErrors(t *testing.T) {
	stop := errors.New("stop")
	c := NewCounter(1, 0)
	c.Add(digest.Sum{Hi: 1}, 0)
	if err := c.Settle(func(int64) error { return stop }); err != stop {
		t.Error(err)
	}
	t.Setenv("TMPDIR", t.TempDir()+"/none")
	c = NewCounter(1, 0)
	var err error
	for i := 0; i < 200_000 && err == nil; i++ {
		err = c.Add(digest.Sum{Hi: uint64(i) << 40}, int64(i))
	}
	if err == nil {
		err = c.Settle(func(int64) error { return nil })
	}
	if err == nil {
		t.Error("no error without a scratch directory")
	}
}
