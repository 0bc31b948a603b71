package write

import (
	"io"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCuts checks that cuts are read back as they were added, however many parts a record
// loses.
func TestCuts(t *testing.T) {
	var want, got []Cut
	c := &Cuts{Field: "text"}
	for i, n := range []int{1, 5000, 3, 4096, 1, 9000, 2} {
		cut := Cut{Ordinal: int64(i * i * 1000)}
		for j := range n {
			cut.Parts = append(cut.Parts, Range{3 * j, 3*j + 2})
		}
		if err := c.add(cut.Ordinal, cut.Parts); err != nil {
			t.Fatal(err)
		}
		want = append(want, cut)
	}
	next := c.Reader()
	for {
		cut, err := next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, cut)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if _, err := next(); err != io.EOF {
		t.Error("after the end: ", err)
	}
	if _, err := new(Cuts).Reader()(); err != io.EOF {
		t.Error("of none: ", err)
	}
	if err := c.add(1, []Range{{0, math.MaxUint32 + 1}}); err == nil {
		t.Error("a part beyond 4 GiB: no error")
	}
}
