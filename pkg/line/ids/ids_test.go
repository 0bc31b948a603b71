package ids

import (
	"bytes"
	"fmt"
	"math/rand/v2"
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

// TestList checks that a list returns the added ids, with and without runs, and with and without
// spelled-out ids.
func TestList(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	drawn := make([]string, 3000)
	for i := range drawn {
		drawn[i] = []string{"", "a:", "a.jsonl:", "b:", "007", "x"}[r.IntN(6)] + fmt.Sprint(r.IntN(200))
	}
	files := make([]string, 0, 900) // ids in order, so a List stores one run for each file
	for _, name := range []string{"b:", "a:", "", "c:x:"} {
		for i := range 200 {
			files = append(files, name+fmt.Sprint(i))
		}
	}
	for _, in := range [][]string{
		{}, {"0", "1", "2"}, {"0", "1", "x", "3"}, {"b", "a", "a"}, {"1", "0"}, {"", "", "0"},
		{"a:70368744177663", "a:70368744177664", "a:70368744177665", "b:0"}, drawn, files, slices.Concat(files, drawn),
	} {
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
			t.Fatalf("%q: order %v", in, order)
		}
		for rank, i := range order {
			if in[i] != sorted[rank] || Ranks(order)[i] != uint32(rank) {
				t.Errorf("%q: order %v", in, order)
			}
		}
		l.Arrange(order)
		for i, id := range sorted {
			if got := string(l.Append(nil, i)); got != id {
				t.Errorf("%q arranged: id %d is %q", in, i, got)
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
	table.Forget()
	if got := table.Intern([]byte("17x")); got != 17 {
		t.Errorf("forgotten, 17x is %d", got)
	}
	if _, ok := table.Lookup([]byte("none")); ok || table.Len() != 5000 {
		t.Errorf("length %d", table.Len())
	}
}

// TestOrder checks that Order agrees with Compare for ids that are not spelled out: few or many,
// dense or sparse, distinct or equal.
func TestOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for name, id := range map[string]func() string{
		"dense":    func() string { return fmt.Sprint(r.IntN(20000)) },
		"files":    func() string { return fmt.Sprintf("%d:%d", r.IntN(30), r.IntN(1<<16)) },
		"sparse":   func() string { return fmt.Sprint(r.Int64N(maxOrdinal)) },
		"outlying": func() string { return fmt.Sprint(r.Int64N(3000)*r.Int64N(2) + r.Int64N(1000)/999<<44) },
		"the same": func() string { return "7" },
	} {
		for _, n := range []int{2, 100, 20000} {
			var l List
			for range n {
				l.Add([]byte(id()))
			}
			order := slices.Clone(l.Order())
			if len(l.arena) > 0 {
				t.Fatalf("%s: ids are spelled out", name)
			}
			if order == nil {
				order = Numbers(n)
			}
			if !slices.IsSortedFunc(order, l.compareIDs()) {
				t.Errorf("%d %s: not in order", n, name)
			}
			if slices.Sort(order); !slices.Equal(order, Numbers(n)) {
				t.Errorf("%d %s: numbers are missing", n, name)
			}
		}
	}
}

// TestPrefixes checks that a table with mostPrefixes prefixes spells out each id with a new prefix,
// and still gives each id only one number. It also checks that a list needs no memory for
// consecutive ids of a file.
func TestPrefixes(t *testing.T) {
	var table Table
	id := func(i int) []byte { return fmt.Appendf(nil, "host%d:80", i%(mostPrefixes+1000)) }
	for i := range 2 * (mostPrefixes + 1000) {
		if got := table.Intern(id(i)); got != uint32(i%(mostPrefixes+1000)) {
			t.Fatalf("Intern(%q) = %d", id(i), got)
		}
	}
	if len(table.prefixes.all) != mostPrefixes || len(table.arena) == 0 {
		t.Errorf("%d prefixes", len(table.prefixes.all))
	}
	var list List
	for i := range 100000 {
		list.Add(fmt.Appendf(nil, "shard%d:%d", i/1000, i%1000))
	}
	if list.words != nil || len(list.runs) != 100 || list.arena != nil {
		t.Errorf("%d words, %d runs", len(list.words), len(list.runs))
	}
}

// FuzzTable checks a table and its list against a map.
func FuzzTable(f *testing.F) {
	f.Add([]byte("0\n1\na:0\na:1\nb:1\n007\n\n\na:70368744177664\n12345678901234567890"))
	f.Fuzz(func(t *testing.T, text []byte) {
		var table Table
		numbers, in := map[string]uint32{}, bytes.Split(text, []byte("\n"))
		for _, id := range in {
			want, known := numbers[string(id)]
			if !known {
				want = uint32(len(numbers))
				numbers[string(id)] = want
			}
			if n, ok := table.Lookup(id); ok != known || ok && n != want {
				t.Fatalf("Lookup(%q) = %d, %v", id, n, ok)
			}
			if n := table.Intern(id); n != want || string(table.Append(nil, int(n))) != string(id) {
				t.Fatalf("Intern(%q) = %d, want %d", id, n, want)
			}
		}
		order := table.Order()
		for i := 1; i < len(order); i++ {
			if Compare(table.Append(nil, int(order[i-1])), table.Append(nil, int(order[i]))) >= 0 {
				t.Fatalf("%d before %d", order[i-1], order[i])
			}
		}
	})
}

func TestFull(t *testing.T) {
	for n, full := range map[int]bool{0: false, maxIDs: false, maxIDs + 1: true} {
		if l := (List{n: n}); (l.Full() != nil) != full {
			t.Errorf("%d ids: %v", n, l.Full())
		}
	}
}
