package review

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"doppel/pkg/review/judgement"
)

// listOf returns a complete list of the pairs in the given lines.
func listOf(t testing.TB, lines ...string) *List {
	t.Helper()
	l := NewList()
	for _, line := range lines {
		if err := l.Add([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	l.End(nil)
	t.Cleanup(func() { l.Close() })
	return l
}

func TestList(t *testing.T) {
	l := listOf(t, "0\t1\t0.9000", "keep\t0\t-\t-\tbest", "1\t2\t0.7000", "2\t3", "3\t4\t0.8100", "4\t5\t0.7900")
	if d := cmp.Diff(Status{Pairs: 5, Passed: 1, Ended: true}, l.Status()); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]int32{4, 3, 0, 1, 2}, l.Nearest(.8)); d != "" {
		t.Error(d)
	}
	if p, err := l.at(1); err != nil || p != (judgement.Pair{A: "1", B: "2", Score: .7}) {
		t.Errorf("%v, %v", p, err)
	}
	for score, want := range map[float64]int{0: 1, .75: 4, 1: 0} {
		if got := l.closest(score); got != want {
			t.Errorf("closest to %v is %d, want %d", score, got, want)
		}
	}
	if n := l.Above(.79); n != 3 {
		t.Errorf("%d pairs of .79 or more", n)
	}
	if n := listOf(t, "0\t1").closest(1); n != -1 {
		t.Error(n)
	}
}

// TestTies checks that pairs with equal scores are all shown, but not in input order.
func TestTies(t *testing.T) {
	var lines []string
	for i := range 100 {
		lines = append(lines, fmt.Sprintf("%d\t%d\t0.8000", i, i+1))
	}
	order := listOf(t, lines...).Nearest(.8)
	late := 0
	for _, i := range order[:20] {
		if i >= 50 {
			late++
		}
	}
	if late < 4 || late > 16 {
		t.Errorf("%d of the first 20 come from the second half: %v", late, order[:20])
	}
	slices.Sort(order)
	if len(slices.Compact(order)) != 100 {
		t.Errorf("%d pairs", len(order))
	}
}

// TestListBeside checks that one goroutine can read the pairs that another adds, and that
// waiting goroutines are woken.
func TestListBeside(t *testing.T) {
	l, n := NewList(), 3000
	go func() {
		for i := range n {
			l.Add(fmt.Appendf(nil, "%d\t%d\t0.5000", i, i+1))
		}
		l.End(nil)
	}()
	for i := range n {
		l.Wait(i)
		if p, err := l.at(i); err != nil || p.A != fmt.Sprint(i) {
			t.Fatalf("pair %d is %v, %v", i, p, err)
		}
	}
}
