package audit

import (
	"fmt"
	"hash/maphash"
	"io"
	"math/rand/v2"
	"slices"
	"testing"
)

var hashSeed = maphash.MakeSeed()

// compareItems returns the number of faults in the output of a run, and the comparison. It passes
// all records in the same memory, as a reader does.
func compareItems(t *testing.T, in []Item, out []string) (faults int, c *Comparison) {
	t.Helper()
	read, written := 0, 0
	var a, b []byte
	c = &Comparison{
		Input: func() (Item, error) {
			if read == len(in) {
				return Item{}, io.EOF
			}
			item := in[read]
			a = append(a[:0], item.Bytes...)
			item.Bytes, item.Hash, read = a, maphash.Bytes(hashSeed, a), read+1
			return item, nil
		},
		Output: func() (Item, error) {
			if written == len(out) {
				return Item{}, io.EOF
			}
			b, written = append(b[:0], out[written]...), written+1
			return Item{Name: "out", Line: int64(written), Bytes: b, Hash: maphash.Bytes(hashSeed, b)}, nil
		},
		Report: func(Fault) error { faults++; return nil },
	}
	if err := c.Run(); err != nil {
		t.Fatal(err)
	}
	return faults, c
}

// TestComparison checks that a comparison finds a fault exactly if the output is wrong, and that it
// compares every record of the input.
func TestComparison(t *testing.T) {
	for seed := range uint64(5000) {
		r := rand.New(rand.NewPCG(seed, 1))
		var in []Item
		var right []string
		for i := range r.IntN(12) {
			x := Item{Record: int64(i), Bytes: fmt.Append(nil, "record ", r.IntN(1+r.IntN(20))), Times: 1 + int64(r.IntN(8)/7)}
			if r.IntN(4) == 0 {
				x.Dropped = "a decision"
			} else {
				right = append(right, slices.Repeat([]string{string(x.Bytes)}, int(x.Times))...)
			}
			in = append(in, x)
		}
		out := slices.Clone(right)
		for range r.IntN(4) {
			if n := len(out); n > 0 {
				i, j := r.IntN(n), r.IntN(n)
				x := out[i]
				switch r.IntN(5) {
				case 0:
					out = slices.Delete(out, i, i+1)
				case 1:
					out = slices.Insert(out, j, x)
				case 2:
					out[i], out[j] = out[j], out[i]
				case 3:
					out[i] += "x"
				case 4:
					out = slices.Insert(slices.Delete(out, i, i+1), j, x)
				}
			}
		}
		faults, c := compareItems(t, in, out)
		if (faults == 0) != slices.Equal(out, right) || c.Records != int64(len(in)) || c.in.size != 0 || c.out.size != 0 {
			t.Fatalf("seed %d: %d faults, %d records of %d, %d and %d bytes held: %q, want %q", seed, faults, c.Records, len(in), c.in.size, c.out.size, out, right)
		}
	}
}
