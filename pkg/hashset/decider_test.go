package hashset

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"doppel/pkg/digest"
	"doppel/pkg/digest/exacthash"
)

// An outcome is the result of a decider: the ordinal of the first occurrence of each new hash, and
// how often the hash occurs.
type outcome struct {
	firsts []int64
	counts map[int64]int64
}

// decide passes a stream of keys to a new decider, and returns the decider and its outcome.
func decide(t *testing.T, o Options, before []digest.Sum, keys []string, sum func(string) digest.Sum) (*Decider, outcome) {
	t.Helper()
	d, out := NewDecider(o), outcome{counts: map[int64]int64{}}
	for _, s := range before {
		if err := d.Know(s); err != nil {
			t.Fatal(err)
		}
	}
	for i, k := range keys {
		v, err := d.Decide(sum(k), int64(i), []byte(k))
		if err != nil {
			t.Fatal(err)
		}
		if v == First && !o.Counts {
			out.firsts = append(out.firsts, int64(i))
		}
	}
	err := d.Settle(func(ordinal, count int64) error {
		out.firsts = append(out.firsts, ordinal)
		out.counts[ordinal] = count
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(out.firsts)
	return d, out
}

// plain computes the expected outcome by means of a map.
func plain(known, keys []string) outcome {
	at, out := map[string]int64{}, outcome{counts: map[int64]int64{}}
	for _, k := range known {
		at[k] = -1
	}
	for i, k := range keys {
		if _, ok := at[k]; !ok {
			at[k] = int64(i)
			out.firsts = append(out.firsts, int64(i))
		}
		out.counts[at[k]]++
	}
	return out
}

func sumOf(k string) digest.Sum {
	s, _ := exacthash.Options{}.NewSigner()
	sum, _ := s.Sum([]byte(k), nil)
	return sum
}

// crowdedSum returns one of 20,000 hashes, which differ only in 15 adjacent bits.
func crowdedSum(k string) digest.Sum { return digest.Sum{Hi: 5, Lo: sumOf(k).Lo % 20000 << 20} }

// collidingSum returns one of only three hashes, so most keys collide.
func collidingSum(k string) digest.Sum { return digest.Sum{Hi: 9, Lo: uint64(len(k) % 3)} }

func keyStream(n int, different uint64) (keys []string) {
	r := rand.New(rand.NewPCG(1, different))
	for range n {
		keys = append(keys, fmt.Sprint("key ", r.Uint64N(different)))
	}
	return keys
}

// TestDecider checks the outcomes of deciders against the outcome that plain computes, for various
// amounts of memory.
func TestDecider(t *testing.T) {
	keys := keyStream(100000, 30000)
	for _, mem := range []int64{1 << 30, 1 << 18, 0} {
		for _, counts := range []bool{false, true} {
			known := keys[:500]
			var before []digest.Sum
			for _, k := range known {
				before = append(before, sumOf(k))
			}
			d, got := decide(t, Options{Mem: mem, Counts: counts}, before, keys, sumOf)
			want := plain(known, keys)
			if !slices.Equal(got.firsts, want.firsts) {
				t.Errorf("mem %d, counts %v: %d first copies, want %d", mem, counts, len(got.firsts), len(want.firsts))
			}
			if (d.deferred > 0) != (mem < 1<<30) {
				t.Errorf("mem %d: %d deferred", mem, d.deferred)
			}
			for i, n := range got.counts {
				if counts && n != want.counts[i] {
					t.Fatalf("mem %d: %d came %d times, want %d", mem, i, n, want.counts[i])
				}
			}
		}
	}
}

// TestCrowded checks that Settle ends and is correct for hashes with so many equal leading bits
// that it must divide partitions repeatedly.
func TestCrowded(t *testing.T) {
	keys := keyStream(30000, 25000)
	_, got := decide(t, Options{}, nil, keys, crowdedSum)
	seen := map[digest.Sum]bool{}
	for _, k := range keys {
		seen[crowdedSum(k)] = true
	}
	if len(got.firsts) != len(seen) {
		t.Errorf("%d first copies, want %d", len(got.firsts), len(seen))
	}
}

// TestKeys checks that a decider with stored keys distinguishes different keys with equal
// hashes.
func TestKeys(t *testing.T) {
	for _, tc := range []struct {
		sum       func(string) digest.Sum
		different uint64
		n         int
		mem       int64
	}{
		{sumOf, 30000, 60000, 1 << 30},
		{sumOf, 30000, 60000, 0},
		{collidingSum, 300, 2000, 1 << 30},
	} {
		keys := keyStream(tc.n, tc.different)
		store := NewKeys()
		d, got := decide(t, Options{Mem: tc.mem, Keys: store, Counts: true}, nil, keys, tc.sum)
		want := plain(nil, keys)
		if !slices.Equal(got.firsts, want.firsts) {
			t.Errorf("%+v: %d first copies, want %d", tc, len(got.firsts), len(want.firsts))
		}
		if (d.collisions > 0) != (tc.different == 300) {
			t.Errorf("%+v: %d collisions", tc, d.collisions)
		}
		if err := store.log.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestErrors checks that errors of the callback and of spill files are returned.
func TestErrors(t *testing.T) {
	stop := errors.New("stop")
	d := NewDecider(Options{Counts: true})
	d.Decide(sumOf("a"), 0, nil)
	if err := d.Settle(func(int64, int64) error { return stop }); err != stop {
		t.Error(err)
	}
	d = NewDecider(Options{Often: 1})
	d.Decide(sumOf("a"), 0, nil)
	if err := d.Settle(func(int64, int64) error { return stop }); err != stop {
		t.Error(err)
	}
	store := NewKeys()
	d = NewDecider(Options{Keys: store})
	long := strings.Repeat("long ", 1<<16)
	if _, err := d.Decide(sumOf(long), 0, []byte(long)); err != nil {
		t.Fatal(err)
	}
	store.log.Close()
	if _, err := d.Decide(sumOf(long), 1, []byte(long)); err == nil {
		t.Error("reading a closed file: no error")
	}
	t.Setenv("TMPDIR", t.TempDir()+"/none")
	if _, err := NewDecider(Options{Keys: NewKeys()}).Decide(sumOf(long), 0, []byte(long)); err == nil {
		t.Error("no error without a scratch directory")
	}
	d = NewDecider(Options{})
	var err error
	for i := range 100000 {
		if _, err = d.Decide(sumOf(fmt.Sprint(i)), int64(i), nil); err != nil {
			break
		}
	}
	if err == nil {
		t.Error("no error without a scratch directory")
	}
}

// TestLostKeys checks that Decide and Settle return the error if a stored key cannot be read.
func TestLostKeys(t *testing.T) {
	store := NewKeys()
	d := NewDecider(Options{Counts: true, Keys: store, Mem: 1 << 24})
	for i := range 50_000 {
		key := fmt.Sprint("key ", i)
		if _, err := d.Decide(sumOf(key), int64(i), []byte(key)); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.log.Close(); err != nil {
		t.Fatal(err)
	}
	if v, err := d.Decide(sumOf("key 7"), 50_000, []byte("key 7")); !errors.Is(err, os.ErrClosed) {
		t.Errorf("a key is compared: %v, %v", v, err)
	}
	if err := d.Settle(func(int64, int64) error { return nil }); !errors.Is(err, os.ErrClosed) {
		t.Errorf("first copies are reported: %v", err)
	}
}

// findOften returns the ordinals of the hashes that occur n times or more, as a decider reports them.
func findOften(t *testing.T, n, mem int64, sums []digest.Sum) (often []int64) {
	t.Helper()
	d := NewDecider(Options{Often: n, Mem: mem})
	for i, s := range sums {
		if v, err := d.Decide(s, int64(i), nil); v != Later || err != nil {
			t.Fatal(v, err)
		}
	}
	if err := d.Settle(func(ordinal, _ int64) error { often = append(often, ordinal); return nil }); err != nil {
		t.Fatal(err)
	}
	slices.Sort(often)
	return often
}

// plainOften returns the ordinals that findOften should return. It uses a map to count the hashes.
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

// TestOften checks the results of findOften against those of plainOften, for various amounts of
// memory. In two of the distributions, hashes differ in only one of their two words.
func TestOften(t *testing.T) {
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
				if got, want := findOften(t, n, mem, sums), plainOften(n, sums); !slices.Equal(got, want) {
					t.Errorf("%s, %d times, mem %d: %d hashes, want %d", name, n, mem, len(got), len(want))
				}
			}
		}
	}
}
