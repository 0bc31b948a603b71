package lsh

import (
	"encoding/binary"
	"errors"
	"os"
	"slices"
	"testing"
)

// TestHotPairs checks that a PairSorter sorts the pairs of hot buckets and keeps repeats, with
// little or much memory and with one or several threads. Most of these pairs begin with one of a
// few ranks.
func TestHotPairs(t *testing.T) {
	const records, bands = 30_000, 3
	var want []uint64
	for b := range records {
		for a := range b {
			if a < HotReach || a >= b-HotReach {
				want = append(want, slices.Repeat([]uint64{uint64(a)<<32 | uint64(b)}, bands)...)
			}
		}
	}
	slices.Sort(want)
	for _, mem := range []int64{1, 64 << 20} {
		for _, jobs := range []int{1, 4} {
			s, got := hotSorter(t, records, bands, mem, jobs), []uint64(nil)
			merged := s.pairs.PartLen(0) > s.large
			if err := EachRun(s, jobs, newBinary, func(text []byte) error {
				for ; len(text) > 0; text = text[8:] {
					got = append(got, binary.BigEndian.Uint64(text))
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, want) || merged != (mem == 1) {
				t.Errorf("%d bytes, %d threads: %d pairs, want %d; merged: %t", mem, jobs, len(got), len(want), merged)
			}
		}
	}
}

// alikeRecords returns an index of records that all share one key in each band.
func alikeRecords(t *testing.T, records, bands int, mem int64) *Index {
	t.Helper()
	x := NewIndex(Parts(bands), mem, 2)
	all := make([][]Key, records)
	for i := range all {
		for band := range bands {
			all[i] = append(all[i], Key{Parts(bands).Bucket(band, 7), uint64(i)})
		}
	}
	addRecords(t, x, all)
	return x
}

// hotSorter returns a sorter that contains the pairs of the records that alikeRecords returns.
func hotSorter(t *testing.T, records, bands int, mem int64, jobs int) *PairSorter {
	t.Helper()
	x, s := alikeRecords(t, records, bands, mem), NewPairSorter(records, mem)
	if _, err := x.Pairs(s, nil, Pairing{Hot: 1000}, jobs); err != nil {
		t.Fatal(err)
	}
	return s
}

func newBinary() func([][1]uint64) []byte {
	return func(pairs [][1]uint64) (text []byte) {
		for _, p := range pairs {
			text = binary.BigEndian.AppendUint64(text, p[0])
		}
		return text
	}
}

// TestPairSorterErrors checks that EachRun and Pairs return an error if a spill file cannot be
// created.
func TestPairSorterErrors(t *testing.T) {
	s, x := hotSorter(t, 30_000, 1, 1, 2), alikeRecords(t, 30_000, 1, 64<<20)
	t.Setenv("TMPDIR", t.TempDir()+"/none")
	if err := EachRun(s, 2, newBinary, func([]byte) error { return nil }); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("runs to merge: %v", err)
	}
	if _, err := x.Pairs(NewPairSorter(30_000, 1), nil, Pairing{Hot: 1000}, 2); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("pairs to sort: %v", err)
	}
}

// TestIndexErrors checks that Pairs returns an error if it cannot create a spill file to sort a
// large partition.
func TestIndexErrors(t *testing.T) {
	defer func(least int64) { leastLarge = least }(leastLarge)
	leastLarge = 100
	for _, jobs := range []int{1, 3} {
		t.Setenv("TMPDIR", t.TempDir())
		x := alikeRecords(t, 30_000, 1, 1)
		t.Setenv("TMPDIR", os.Getenv("TMPDIR")+"/none")
		if _, err := x.Pairs(NewPairSorter(30_000, 64<<20), nil, Pairing{Hot: 1000}, jobs); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%d threads: %v", jobs, err)
		}
	}
}
