package spill

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// FuzzPartitions checks that Partitions give the same results as plain slices.
func FuzzPartitions(f *testing.F) {
	f.Add(uint64(1), uint16(0), uint32(8<<10), false)
	f.Add(uint64(2), uint16(500), uint32(1<<20), true)
	f.Add(uint64(3), uint16(40_000), uint32(1<<20), false)
	f.Add(uint64(4), uint16(300), uint32(1), true)
	f.Fuzz(func(t *testing.T, seed uint64, longest uint16, mem uint32, whole bool) {
		r := rand.New(rand.NewPCG(seed, 1))
		p := NewPartitions(3, int64(mem))
		var want [3][]uint64
		type place struct {
			part, n int
			at      int64
		}
		var places []place
		for range 60 {
			words := make([]uint64, r.IntN(int(longest)+1))
			for i := range words {
				words[i] = r.Uint64()
			}
			part := r.IntN(3)
			at, err := p.Add(part, words)
			if err != nil || at != int64(len(want[part])) {
				t.Fatal(at, err)
			}
			places = append(places, place{part, len(words), at})
			want[part] = append(want[part], words...)
		}
		limit := int64(0)
		if whole {
			limit = 1 << 40
		}
		var open [3]*Partition
		for i := range open {
			var err error
			if open[i], err = p.Open(i, limit, nil); err != nil {
				t.Fatal(err)
			}
		}
		var buf, got []uint64
		for _, l := range places {
			var err error
			if got, buf, err = open[l.part].Words(l.at, l.n, buf); err != nil || !slices.Equal(got, want[l.part][l.at:][:l.n]) {
				t.Fatalf("%+v: %v", l, err)
			}
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestPartitionsMemory checks that Partitions write nothing to disk if all runs fit into memory, and
// otherwise keep within the memory limit.
func TestPartitionsMemory(t *testing.T) {
	words := make([]uint64, 1000)
	for _, tc := range []struct {
		mem     int64
		spilled int64
	}{{1 << 30, 0}, {80_000, 8 * 90_000}, {0, 8 * 99_000}} {
		p := NewPartitions(7, tc.mem)
		for i := range 100 {
			if _, err := p.Add(i%7, words); err != nil {
				t.Fatal(err)
			}
		}
		if p.Spilled() != tc.spilled {
			t.Errorf("mem %d: %d spilled, want %d", tc.mem, p.Spilled(), tc.spilled)
		}
	}
}

func TestPartitionsErrors(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()+"/none")
	p := NewPartitions(1, 0)
	var err error
	for range 3 {
		_, e := p.Add(0, make([]uint64, bufferSize))
		err = errors.Join(err, e)
	}
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without a scratch directory: %v", err)
	}
	t.Setenv("TMPDIR", t.TempDir())
	p = NewPartitions(1, 0)
	for range 3 {
		if _, err := p.Add(0, make([]uint64, bufferSize)); err != nil {
			t.Fatal(err)
		}
	}
	p.log.files[0].Truncate(100)
	if _, err := p.Open(0, 1<<40, nil); err == nil {
		t.Error("a file that has lost bytes: no error")
	}
	v, err := p.Open(0, 0, nil)
	if _, _, werr := v.Words(1000, 10, nil); err != nil || werr == nil {
		t.Errorf("a run that is lost: %v, %v", err, werr)
	}
}

func BenchmarkPartitions(b *testing.B) {
	words := make([]uint64, 1500)
	buf := bytes.Repeat([]byte{1}, 8*len(words))
	copy(bytesOf(words), buf)
	b.SetBytes(int64(8 * 5000 * len(words)))
	b.ReportAllocs()
	for b.Loop() {
		p := NewPartitions(64, 8<<20)
		for i := range 5000 {
			p.Add(i&63, words)
		}
		var space []uint64
		for i := range 64 {
			v, err := p.Open(i, 1<<40, space)
			if err != nil {
				b.Fatal(err)
			}
			space = v.Buffer()
		}
		p.Close()
	}
}
