package seen

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"doppel/pkg/fuzzysum"
)

func sumOf(n byte) fuzzysum.Sum { return fuzzysum.Sum{0: n, 15: 1} }

// ringOf returns a ring with the given slots. A number n above 0 stands for a slot that holds
// sumOf(n), and 0 stands for a slot of zeros.
func ringOf(capacity int, slots ...byte) *Ring {
	var all []byte
	for _, n := range slots {
		s := sumOf(n)
		if n == 0 {
			s = fuzzysum.Sum{}
		}
		all = append(all, s[:]...)
	}
	return newRing(all, capacity)
}

func order(r *Ring) (numbers []byte) {
	for s := r.sums(); len(s) > 0; s = s[slotSize:] {
		numbers = append(numbers, s[0])
	}
	return numbers
}

// TestGap checks that newRing finds the gap and the order of the sums in every state that a write
// or a killed process can leave.
func TestGap(t *testing.T) {
	for _, c := range []struct {
		slots []byte // slots of a ring with capacity 4
		gap   int
		order []byte
	}{
		{nil, 0, nil},
		{[]byte{1}, 1, []byte{1}},
		{[]byte{1, 2, 3}, 3, []byte{1, 2, 3}},
		{[]byte{0, 2, 3}, 3, []byte{2, 3}},
		{[]byte{0, 2, 3, 4}, 0, []byte{2, 3, 4}},
		{[]byte{0, 0, 3, 4}, 0, []byte{3, 4}},
		{[]byte{5, 0, 3, 4}, 1, []byte{3, 4, 5}},
		{[]byte{5, 6, 7, 0}, 3, []byte{5, 6, 7}},
		{[]byte{0, 6, 7, 0}, 3, []byte{6, 7}},
		{[]byte{0, 0, 0, 0}, 0, nil},
		{[]byte{0, 2}, 2, []byte{2}},
		{[]byte{1, 2, 3, 4}, 0, []byte{1, 2, 3, 4}}, // Add never leaves a ring without a gap
	} {
		r := ringOf(4, c.slots...)
		if r.gap != c.gap || !bytes.Equal(order(r), c.order) {
			t.Errorf("%v: gap %d, order %v", c.slots, r.gap, order(r))
		}
	}
}

// TestWritesAreSafe checks that the ring is valid after any number of writes: it has lost at most
// the oldest sum, and the sums are in order.
func TestWritesAreSafe(t *testing.T) {
	for capacity := 2; capacity <= 5; capacity++ {
		r := newRing(nil, capacity)
		for n := byte(1); n < 20; n++ {
			before := bytes.Clone(r.slots)
			was := order(r)
			r.pending = nil
			r.Add(sumOf(n))
			for done := range len(r.pending) + 1 {
				cut := newRing(bytes.Clone(before), capacity)
				for _, w := range r.pending[:done] {
					cut.putSlot(w)
				}
				checkOrder(t, newRing(cut.slots, capacity), was, n)
			}
			if got := order(r); got[len(got)-1] != n || len(got) != min(int(n), capacity-1) {
				t.Fatalf("capacity %d: %v after adding %d", capacity, got, n)
			}
		}
	}
}

// checkOrder checks that the ring holds the same sums as before, in the same order, except that the
// oldest sum may be missing and the sum numbered n may have been appended.
func checkOrder(t *testing.T, r *Ring, was []byte, n byte) {
	t.Helper()
	got := bytes.TrimSuffix(order(r), []byte{n})
	if !bytes.Equal(got, was) && (len(was) == 0 || !bytes.Equal(got, was[1:])) {
		t.Fatalf("%v became %v", was, order(r))
	}
}

func TestSeen(t *testing.T) {
	r := newRing(nil, 10)
	few := fuzzysum.Sum{0x80, 15: 1}
	exact, _ := fuzzysum.Parse([]byte("e8ac7fffffffffffffffffffffffffff"))
	near, _ := fuzzysum.Parse([]byte("e8ac7ffffffffffffffffffffffffffe"))
	nearFuzzy, _ := fuzzysum.Parse([]byte("e8ac6fffffffffffffffffffffffffff"))
	for _, s := range []fuzzysum.Sum{few, exact, {}, fuzzysum.Empty} {
		r.Add(s)
	}
	for _, c := range []struct {
		name     string
		sum      fuzzysum.Sum
		distance int
		want     bool
	}{
		{"itself", few, 0, true},
		{"two bits off, two allowed", fuzzysum.Sum{0xc0, 15: 3}, 2, true},
		{"two bits off, one allowed", fuzzysum.Sum{0xc0, 15: 3}, 1, false},
		{"a gap is near to few bits", fuzzysum.Sum{5: 1}, 2, false},
		{"a digest", exact, 2, true},
		{"nearly a digest", near, 2, false},
		{"a fuzzy sum near a digest", nearFuzzy, 2, false},
		{"zeros", fuzzysum.Sum{}, 128, false},
		{"no text", fuzzysum.Empty, 128, false},
	} {
		if got := r.Seen(c.sum, c.distance); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// FuzzLoad checks that a ring with arbitrary slots finds each sum right after it is added, and does
// not exceed its capacity.
func FuzzLoad(f *testing.F) {
	f.Add(make([]byte, 64), 4)
	f.Add(bytes.Repeat([]byte{1}, 64), 4)
	f.Fuzz(func(t *testing.T, slots []byte, capacity int) {
		slots = slots[:len(slots)-len(slots)%slotSize]
		if capacity < 2 || capacity > 1000 || len(slots) > capacity*slotSize {
			t.Skip()
		}
		r := newRing(slots, capacity)
		for n := byte(1); n < 10; n++ {
			r.Add(sumOf(n))
			if !r.Seen(sumOf(n), 0) {
				t.Fatalf("%d is lost", n)
			}
		}
		if len(r.slots) > capacity*slotSize {
			t.Errorf("%d bytes", len(r.slots))
		}
	})
}

func BenchmarkSeen(b *testing.B) {
	r := newRing(nil, 100_001)
	rnd := rand.New(rand.NewPCG(1, 1))
	var s fuzzysum.Sum
	for range 100_000 {
		for i := range s {
			s[i] = byte(rnd.Uint32())
		}
		r.Add(s)
	}
	b.SetBytes(int64(len(r.slots)))
	b.ReportAllocs()
	for b.Loop() {
		if r.Seen(sumOf(1), 2) {
			b.Fatal("seen")
		}
	}
}
