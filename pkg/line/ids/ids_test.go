package ids

import (
	"fmt"
	"slices"
	"testing"
)

func TestCompare(t *testing.T) {
	ordered := []string{"", "0", "2", "2#0-9", "2#9-12", "2#9-13", "2#10-11", "10", "10#0-5", "007", "99999999999999999999", "a", "a.jsonl:2", "a.jsonl:10", "a.jsonl:x", "b.jsonl:1", "doc10", "doc9"}
	for i, a := range ordered {
		for j, b := range ordered {
			got := Compare([]byte(a), []byte(b))
			if want := cmpInt(i, j); got != want {
				t.Errorf("Compare(%q, %q) = %d, want %d", a, b, got, want)
			}
		}
	}
}

func cmpInt(i, j int) int {
	switch {
	case i < j:
		return -1
	case i > j:
		return 1
	}
	return 0
}

// A list holds what was added, whether it starts as ordinals or not.
func TestList(t *testing.T) {
	for _, in := range [][]string{{}, {"0", "1", "2"}, {"0", "1", "x", "3"}, {"b", "a", "a"}, {"1", "0"}} {
		var l List
		for _, id := range in {
			l.Add([]byte(id))
		}
		for i, id := range in {
			if got := string(l.Append(nil, i)); got != id {
				t.Errorf("%q: id %d is %q", in, i, got)
			}
		}
		sorted := slices.Clone(in)
		slices.SortFunc(sorted, func(a, b string) int { return Compare([]byte(a), []byte(b)) })
		order := l.Order()
		if (order == nil) != slices.Equal(sorted, in) {
			t.Errorf("%q: order %v", in, order)
		}
		for rank, i := range order {
			if in[i] != sorted[rank] || Ranks(order)[i] != uint32(rank) {
				t.Errorf("%q: order %v", in, order)
			}
		}
	}
}

func TestTable(t *testing.T) {
	var table Table
	if _, ok := table.Lookup([]byte("0")); ok {
		t.Error("an empty table knows an id")
	}
	for pass := range 2 {
		for i := range 5000 {
			id := fmt.Appendf(nil, "%d", i)
			if i%2 == 1 {
				id = append(id, 'x')
			}
			if got := table.Intern(id); got != uint32(i) {
				t.Fatalf("pass %d: Intern(%q) = %d", pass, id, got)
			}
			if got, ok := table.Lookup(id); !ok || got != uint32(i) {
				t.Fatalf("pass %d: Lookup(%q) = %d, %v", pass, id, got, ok)
			}
		}
	}
	if _, ok := table.Lookup([]byte("none")); ok || table.Len() != 5000 {
		t.Errorf("length %d", table.Len())
	}
}
