package lsh

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPartitions checks that Parts computes a bucket's partition from the bucket's part and the top
// bits of its hash, and that ByHash uses all partitions.
func TestPartitions(t *testing.T) {
	const parts = Parts(7)
	if got, want := parts.Bucket(3, 0xfedcba9876543210), uint64(0x3fedcba9876); got != want {
		t.Errorf("%x, want %x", got, want)
	}
	for part := range int(parts) {
		for _, hash := range []uint64{0, 1 << 40, ^uint64(0)} {
			if p := parts.Partition(parts.Bucket(part, hash)); p>>8 != part || p != part<<8|int(hash>>56) {
				t.Errorf("part %d, hash %x: partition %d", part, hash, p)
			}
		}
	}
	seen := map[int]bool{}
	for i := range uint64(5000) {
		seen[ByHash{}.Partition(i<<50)] = true
	}
	if len(seen) != (ByHash{}).Partitions() {
		t.Errorf("%d partitions are used", len(seen))
	}
}

// TestIndex checks that records that share a key are paired, with little or much memory and with
// one or several threads. If there are old records, each pair must contain an old and a new record.
func TestIndex(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	const records, old = 300, 100
	keys := make([][]Key, records)
	for i := range keys {
		for part := range 4 {
			keys[i] = append(keys[i], Key{Parts(4).Bucket(part, r.Uint64N(100)<<56), uint64(i)})
		}
	}
	defer func(least int64) { leastLarge = least }(leastLarge)
	for _, olds := range []int{0, old} {
		want := plainPairs(keys, olds)
		for _, mem := range []int64{1, 1 << 20} {
			for _, leastLarge = range []int64{20, 1 << 18} { // makes all partitions large, then none
				for _, jobs := range []int{1, 4} {
					if d := cmp.Diff(want, indexed(t, keys, olds, mem, jobs)); d != "" {
						t.Errorf("%d old, %d bytes, large from %d on, %d threads:\n%s", olds, mem, leastLarge, jobs, d)
					}
				}
			}
		}
	}
}

// plainPairs compares all pairs of records and returns those that share a key.
func plainPairs(keys [][]Key, old int) (pairs []string) {
	for b := range keys {
		for a := range b {
			shares := slices.ContainsFunc(keys[a], func(k Key) bool {
				return slices.ContainsFunc(keys[b], func(l Key) bool { return l.Bucket == k.Bucket })
			})
			if shares && (old == 0 || a < old && b >= old) {
				pairs = append(pairs, fmt.Sprintf("%03d %03d", a, b))
			}
		}
	}
	slices.Sort(pairs)
	return pairs
}

func indexed(t *testing.T, keys [][]Key, old int, mem int64, jobs int) (pairs []string) {
	t.Helper()
	x := NewIndex(Parts(4), mem, jobs)
	addRecords(t, x, keys[old:])
	if old > 0 {
		x.Fresh()
		addRecords(t, x, keys[:old])
	}
	var ranks []uint32 // new records have the highest ranks but are added first
	for i := range keys {
		ranks = append(ranks, uint32((i+old)%len(keys)))
	}
	s := NewPairSorter(len(x.digests), mem)
	if _, err := x.Pairs(s, ranks, Pairing{Hot: 1000}, jobs); err != nil {
		t.Fatal(err)
	}
	newFormat := func() func([][1]uint64) []byte {
		return func(all [][1]uint64) (text []byte) {
			for _, p := range all {
				text = fmt.Appendf(text, "%03d %03d", p[0]>>32, uint32(p[0]))
			}
			return text
		}
	}
	if err := EachRun(s, jobs, newFormat, func(text []byte) error {
		for ; len(text) > 0; text = text[7:] {
			pairs = append(pairs, string(text[:7]))
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return slices.Compact(pairs)
}

// addRecords adds records, given their keys, in batches that three goroutines insert. It also
// inserts a batch that it does not place.
func addRecords(t *testing.T, x *Index, records [][]Key) {
	t.Helper()
	type batch struct {
		keys    []Key
		last    []int
		digests []uint64
		number  int
	}
	batches := make([]batch, len(records)/20+1)
	for i, keys := range records {
		b := &batches[i/20]
		b.keys = append(b.keys, keys...)
		b.last = append(b.last, len(b.keys))
		digest := uint64(0)
		for _, k := range keys {
			digest = k.Digest
		}
		b.digests = append(b.digests, digest)
	}
	var inserting sync.WaitGroup
	for first := range 3 {
		inserting.Go(func() {
			in := x.Inserter()
			if first == 1 {
				in.Insert(batches[0].keys, batches[0].last)
			}
			for i := len(batches) - 1 - first; i >= 0; i -= 3 {
				batches[i].number = in.Insert(batches[i].keys, batches[i].last)
			}
		})
	}
	inserting.Wait()
	for _, b := range batches {
		if err := x.Place(b.number, b.digests, nil); err != nil {
			t.Fatal(err)
		}
	}
}

// TestMost checks that Pairs reports the largest buckets of the whole index, not the largest of
// each partition.
func TestMost(t *testing.T) {
	x := NewIndex(Parts(2), 1<<20, 2)
	want := map[uint64]int{}
	var records [][]Key
	for i := range uint64(500) {
		keys := []Key{{Bucket: Parts(2).Bucket(0, Hash(i%40)), Digest: i}, {Bucket: Parts(2).Bucket(1, Hash(i*i%97)), Digest: i}}
		for _, k := range keys {
			want[k.Bucket]++
		}
		records = append(records, keys)
	}
	addRecords(t, x, records)
	var all []Common
	for key, n := range want {
		if n > 1 {
			all = append(all, Common{Key: key, Records: n})
		}
	}
	slices.SortFunc(all, bySize)
	got, err := x.Pairs(NewPairSorter(len(x.digests), 1<<20), nil, Pairing{Hot: 1000, Most: 30}, 2)
	if err != nil || len(got.Most) != 30 || len(got.Common) != 0 {
		t.Fatalf("%d, %d, %v", len(got.Most), len(got.Common), err)
	}
	for i, c := range got.Most {
		if c.Key != all[i].Key || c.Records != all[i].Records {
			t.Errorf("%dth: %+v, want %+v", i, c, all[i])
		}
	}
}
