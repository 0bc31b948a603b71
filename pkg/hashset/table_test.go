package hashset

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"doppel/pkg/digest"
)

// checkInvariants verifies the invariants of a table: the hashes are in order, no hash is above
// its home, and there is no empty slot between a hash and its home.
func (t *Table) checkInvariants() error {
	above, hole, seen := digest.Sum{Hi: ^uint64(0), Lo: ^uint64(0)}, len(t.chunks)*chunkSlots, 0
	for i := hole - 1; i >= 0; i-- {
		s := digest.Sum{Hi: t.slot(i)[0], Lo: t.slot(i)[1]}
		if s == (digest.Sum{}) {
			hole = i
			continue
		}
		if s.Hi > above.Hi || s.Hi == above.Hi && s.Lo >= above.Lo {
			return fmt.Errorf("slot %d: %v below %v", i, s, above)
		}
		if home := t.homeSlot(s.Hi); home < i || hole < home {
			return fmt.Errorf("slot %d: home %d, hole %d", i, home, hole)
		}
		above = s
		seen++
	}
	if seen != t.n {
		return fmt.Errorf("%d hashes in slots, %d counted", seen, t.n)
	}
	return nil
}

// kinds contains distributions of hashes. In all but the random one, many hashes share a home.
var kinds = map[string]func(r *rand.Rand) digest.Sum{
	"random":  func(r *rand.Rand) digest.Sum { return digest.Sum{Hi: r.Uint64(), Lo: r.Uint64()} },
	"low":     func(r *rand.Rand) digest.Sum { return digest.Sum{Hi: r.Uint64() >> 60, Lo: r.Uint64N(400)} },
	"high":    func(r *rand.Rand) digest.Sum { return digest.Sum{Hi: ^(r.Uint64() >> 60), Lo: r.Uint64N(400)} },
	"one":     func(r *rand.Rand) digest.Sum { return digest.Sum{Hi: 7, Lo: r.Uint64N(600)} },
	"repeats": func(r *rand.Rand) digest.Sum { return digest.Sum{Hi: r.Uint64N(900) << 54, Lo: r.Uint64N(9)} },
}

// TestTable checks tables against a map.
func TestTable(t *testing.T) {
	for name, draw := range kinds {
		for _, values := range []int{0, 1, 2} {
			r := rand.New(rand.NewPCG(1, uint64(values)))
			table, want := NewTable(values, 1<<40), map[digest.Sum]uint64{}
			for i := range uint64(20000) {
				s := draw(r)
				if s == (digest.Sum{}) {
					s.Lo = 1
				}
				v, o := table.Put(s)
				old, known := want[s]
				if known != (o == Found) || o == NoRoom || len(v) != values {
					t.Fatalf("%s: put %v: outcome %d, known %v", name, s, o, known)
				}
				if values > 0 && v[values-1] != old {
					t.Fatalf("%s: %v holds %d, want %d", name, s, v[values-1], old)
				}
				want[s] = i
				if values > 0 {
					v[values-1] = i
				}
			}
			if err := table.checkInvariants(); err != nil || table.n != len(want) {
				t.Errorf("%s: %d of %d, %v", name, table.n, len(want), err)
			}
		}
	}
}

// TestZero checks that the zero hash can be stored, although zeros mark an empty slot.
func TestZero(t *testing.T) {
	table := NewTable(0, 0)
	if _, o := table.Put(digest.Sum{}); o != Added {
		t.Error(o)
	}
	if _, o := table.Put(digest.Sum{}); o != Found {
		t.Error(o)
	}
}

// TestLimit checks that a full table still finds its hashes, and that it finds none after Reset.
func TestLimit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	table := NewTable(1, 1<<20)
	var in []digest.Sum
	for {
		s := kinds["random"](r)
		v, o := table.Put(s)
		if o == NoRoom {
			break
		}
		v[0] = uint64(len(in))
		in = append(in, s)
	}
	if n := len(in); n*24 < 1<<19 || table.sizeBytes() > 1<<20 {
		t.Errorf("%d hashes in %d bytes", n, table.sizeBytes())
	}
	for i, s := range in {
		if v, o := table.Put(s); o != Found || v[0] != uint64(i) {
			t.Fatalf("hash %d: outcome %d", i, o)
		}
	}
	n := 0
	table.Each(func(v []uint64) error { n++; return nil })
	if err := table.checkInvariants(); err != nil || n != len(in) {
		t.Error(n, err)
	}
	size := table.sizeBytes()
	table.Reset(int64(len(in)))
	for i, s := range in {
		if v, o := table.Put(s); o != Added || v[0] != 0 {
			t.Fatalf("hash %d after Reset: outcome %d, %v", i, o, v)
		}
	}
	if err := table.checkInvariants(); err != nil || table.sizeBytes() > size+2*chunkSlots*24 {
		t.Error(table.sizeBytes(), size, err)
	}
}

// FuzzTable checks a table against a map. The hashes are made from two bytes each, so many of them
// are equal or share a home.
func FuzzTable(f *testing.F) {
	f.Add([]byte("the quick brown fox jumps over the lazy dog"))
	f.Fuzz(func(t *testing.T, b []byte) {
		table, want := NewTable(0, 1<<20), map[digest.Sum]bool{}
		for i := range b[:max(0, len(b)-1)] {
			s := digest.Sum{Hi: uint64(b[i]) << 56, Lo: 1 + uint64(b[i+1])}
			if _, o := table.Put(s); (o == Found) != want[s] {
				t.Fatalf("%v: outcome %d", s, o)
			}
			want[s] = true
		}
		if err := table.checkInvariants(); err != nil {
			t.Error(err)
		}
	})
}

// BenchmarkPut adds n random hashes to an empty table. It reports the throughput in bytes, at 16
// bytes per hash.
func BenchmarkPut(b *testing.B) {
	for _, n := range []int{1000, 1000000, 20000000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.SetBytes(int64(16 * n))
			b.ReportAllocs()
			for b.Loop() {
				table, r := NewTable(0, 1<<40), rand.NewPCG(1, 1)
				for range n {
					table.Put(digest.Sum{Hi: r.Uint64(), Lo: r.Uint64()})
				}
				b.ReportMetric(float64(table.sizeBytes())/float64(n), "B/hash")
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/hash")
		})
	}
}

// sizeBytes returns the total size of all chunks in bytes.
func (t *Table) sizeBytes() int64 {
	return int64(len(t.chunks)+len(t.spare)) * int64(8*t.width*chunkSlots)
}
