package par

import (
	"errors"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
)

// numbers returns a function to pass to Ordered as next. The function returns the numbers from 0 to
// n-1, one per call, and then the given error.
func numbers(n int, end error) func() (int, error) {
	i := -1
	return func() (int, error) {
		if i++; i >= n {
			return 0, end
		}
		return i, nil
	}
}

// square returns a function that computes squares with random delays, so that results are ready out
// of order.
func square() func(int) int {
	return func(i int) int {
		for range rand.IntN(3) {
			runtime.Gosched()
		}
		return i * i
	}
}

func TestOrdered(t *testing.T) {
	failed := errors.New("failed")
	for _, jobs := range []int{0, 1, 2, 8} {
		for _, n := range []int{0, 1, 5, 1000} {
			for _, end := range []error{io.EOF, failed} {
				var got []int
				err := Ordered(jobs, numbers(n, end), square, func(r int) error {
					got = append(got, r)
					return nil
				})
				if (err == nil) != (end == io.EOF) || err != nil && err != failed {
					t.Errorf("jobs %d, n %d: error %v", jobs, n, err)
				}
				if len(got) != n || !slices.IsSorted(got) {
					t.Errorf("jobs %d, n %d: results %v", jobs, n, got)
				}
			}
		}
	}
}

// TestOrderedStops checks that Ordered returns the error if emit fails, even if next never returns.
func TestOrderedStops(t *testing.T) {
	full := errors.New("full")
	for _, jobs := range []int{1, 4} {
		next := numbers(100, io.EOF)
		blocked := func() (int, error) {
			i, err := next()
			if jobs > 1 && i == 99 {
				select {}
			}
			return i, err
		}
		calls := 0
		err := Ordered(jobs, blocked, square, func(r int) error {
			if calls++; calls == 10 {
				return full
			}
			return nil
		})
		if err != full || calls != 10 {
			t.Errorf("jobs %d: %v after %d calls", jobs, err, calls)
		}
	}
}

// TestGrouped checks that the groups hold all results in order, that no group is larger than the
// number of jobs, and that groups form while emit is slow.
func TestGrouped(t *testing.T) {
	full := errors.New("full")
	for _, jobs := range []int{0, 1, 2, 7} {
		const n = 1000
		read, largest := make(chan int, n), 0
		next := numbers(n, io.EOF)
		counted := func() (int, error) {
			i, err := next()
			read <- i
			return i, err
		}
		var got []int
		err := Grouped(jobs, counted, square, func(group []int) error {
			largest = max(largest, len(group))
			if got = append(got, group...); len(got) >= n/2 {
				return full
			}
			for jobs > 1 && len(read) < min(n, len(got)+jobs+2) {
				runtime.Gosched() // until results are waiting
			}
			return nil
		})
		if err != full || !slices.IsSorted(got) || len(got) < n/2 || largest > max(1, jobs) || jobs > 1 && largest == 1 {
			t.Errorf("jobs %d: error %v, %d results, at most %d in a group", jobs, err, len(got), largest)
		}
		got = nil
		if err := Grouped(jobs, numbers(n, io.EOF), square, func(group []int) error {
			got = append(got, group...)
			return nil
		}); err != nil || len(got) != n || !slices.IsSorted(got) {
			t.Errorf("jobs %d: error %v, %d results", jobs, err, len(got))
		}
	}
}

func TestEach(t *testing.T) {
	for _, n := range []int{0, 1, 2, 7, 100} {
		for _, count := range []int{0, 1, 5, 50} {
			calls := make([]int, count)
			var now, most atomic.Int32
			Each(n, count, func(i int) {
				for at, old := now.Add(1), most.Load(); at > old && !most.CompareAndSwap(old, at); old = most.Load() {
				}
				runtime.Gosched()
				calls[i]++
				now.Add(-1)
			})
			if slices.ContainsFunc(calls, func(c int) bool { return c != 1 }) || int(most.Load()) > max(1, n) {
				t.Errorf("n %d: calls %v, %d at the same time", n, calls, most.Load())
			}
		}
	}
}

func BenchmarkOrdered(b *testing.B) {
	b.ReportAllocs()
	i := 0
	Ordered(2, func() (int, error) {
		if i++; i > b.N {
			return 0, io.EOF
		}
		return i, nil
	}, square, func(int) error { return nil })
}
