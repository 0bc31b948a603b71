package collection

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

// addBatch is like addTo, for records of a batch, of which it adds some. If the scheme allows no
// batches, it checks that NewBatch says so.
func (m *model) addBatch(t *testing.T, dir string, r *rand.Rand, n int) {
	t.Helper()
	w := newTestWriter(t, dir, m.scheme)
	b, err := w.NewBatch(0)
	if (err == nil) != m.scheme.isNarrow() {
		t.Fatalf("a batch for %+v: %v", m.scheme, err)
	}
	if err == nil {
		m.fillBatch(t, w, b, r, n)
	}
	if err := errors.Join(w.Commit(), w.Close()); err != nil {
		t.Fatal(err)
	}
}

func (m *model) fillBatch(t *testing.T, w *Writer, b *Batch, r *rand.Rand, n int) {
	t.Helper()
	var records []modelRecord
	count := map[uint64]int{}
	for i := range n {
		x := m.draw(r)
		records = append(records, x)
		for _, bucket := range x.buckets {
			count[bucket]++
			if err := b.Add(bucket, uint32(i)); err != nil {
				t.Fatal(err)
			}
		}
	}
	c, hot := w.Collection(), r.IntN(2)*7
	got, err := pairsOf(c, func(match func(uint32, int64) error) error { return c.JoinBatch(b, hot, match) })
	if err != nil {
		t.Fatal(err)
	}
	if want := m.join(m.keys(records), hot); !slices.Equal(got, want) {
		t.Fatalf("hot %d: %d pairs, want %d", hot, len(got), len(want))
	}
	for i, x := range records {
		shares := slices.ContainsFunc(x.buckets, func(bucket uint64) bool { return count[bucket] > 1 })
		if got := b.Shares(uint32(i)); got != shares {
			t.Fatalf("record %d of %d shares a key: %t, want %t", i, n, got, shares)
		}
		if r.IntN(3) == 0 {
			continue
		}
		if err := w.AddOf(uint32(i), []byte(x.id), []byte(x.text)); err != nil {
			t.Fatal(err)
		}
		m.records = append(m.records, x)
	}
}

// TestMixedWriter checks that the records of a writer are all of a batch, or none.
func TestMixedWriter(t *testing.T) {
	w := newTestWriter(t, t.TempDir(), testSchemes["fuzzy"])
	defer w.Close()
	if err := w.AddOf(0, nil, nil); err != errMixed {
		t.Errorf("a record of a batch, without a batch: %v", err)
	}
	if err := w.Add(nil, nil, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := w.NewBatch(0); err != errMixed {
		t.Errorf("a batch after another record: %v", err)
	}
	other := newTestWriter(t, t.TempDir(), testSchemes["fuzzy"])
	defer other.Close()
	if _, err := other.NewBatch(0); err != nil {
		t.Fatal(err)
	}
	if err := other.Add(nil, nil, nil); err != errMixed {
		t.Errorf("a record outside of the batch: %v", err)
	}
}

// TestSelectOne compares selectOne with a loop over all bits.
func TestSelectOne(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, x := range []uint64{0, 1, 1 << 63, 1<<64 - 1, r.Uint64(), r.Uint64() & r.Uint64() & r.Uint64(), r.Uint64() | r.Uint64()} {
		n := uint(0)
		for i := range 64 {
			if x>>i&1 == 0 {
				continue
			}
			if got := selectOne(x, n); got != i {
				t.Errorf("one %d of %x is at %d, want %d", n, x, got, i)
			}
			n++
		}
	}
}
