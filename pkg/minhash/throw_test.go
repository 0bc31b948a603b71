package minhash

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestThrow holds a round in assembly against one in Go.
func TestThrow(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, k := range []int{1, 3, 128, 1000} {
		for n := 1; n < 200; n += 7 {
			a, b, e := New(k, 1), New(k, 1), elements(r, n)
			a.best, b.best = slices.Repeat([]uint64{empty}, k), slices.Repeat([]uint64{empty}, k)
			for round := range 3 {
				a.throw(e, round)
				b.plainThrow(e, round)
				if !slices.Equal(a.best, b.best) {
					t.Fatalf("k %d, n %d, round %d: %x, want %x", k, n, round, a.best, b.best)
				}
			}
		}
	}
}
