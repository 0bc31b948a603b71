package bitset

import "testing"

func TestSet(t *testing.T) {
	var b Set
	for _, n := range []int64{0, 63, 64, 1000} {
		b.Add(n)
	}
	for n := range int64(1100) {
		if want := n == 0 || n == 63 || n == 64 || n == 1000; b.Has(n) != want {
			t.Errorf("%d: %v", n, b.Has(n))
		}
	}
	if b.Len() != 4 {
		t.Errorf("length %d", b.Len())
	}
}
