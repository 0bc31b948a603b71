package par

import (
	"errors"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
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

// TestSettled checks that both steps get all results in order, each result first in settle, in groups
// that are no larger than the number of jobs but form while settle is slow.
func TestSettled(t *testing.T) {
	for _, jobs := range []int{0, 1, 2, 7} {
		const n = 1000
		var read atomic.Int64
		next := numbers(n, io.EOF)
		counted := func() (int, error) {
			read.Add(1)
			return next()
		}
		largest := 0
		var settled, emitted []int
		var mu sync.Mutex
		err := Settled(jobs, counted, square, func(group []int) (int, error) {
			mu.Lock()
			largest, settled = max(largest, len(group)), append(settled, group...)
			most := len(settled) + jobs + 2
			mu.Unlock()
			for jobs > 1 && int(read.Load()) < min(n, most) {
				runtime.Gosched() // until results are waiting
			}
			return len(group), nil
		}, func(r int) error {
			mu.Lock()
			defer mu.Unlock()
			if emitted = append(emitted, r); len(emitted) > len(settled) || settled[len(emitted)-1] != r {
				t.Fatalf("jobs %d: %d is emitted before it is settled", jobs, r)
			}
			return nil
		})
		if err != nil || len(emitted) != n || !slices.IsSorted(emitted) || largest > max(1, jobs) || jobs > 1 && largest == 1 {
			t.Errorf("jobs %d: error %v, %d results, at most %d in a group", jobs, err, len(emitted), largest)
		}
	}
}

// TestSettledStops checks the results that are emitted before an error of a step, even if next never
// returns, and that no step runs afterwards.
func TestSettledStops(t *testing.T) {
	full := errors.New("full")
	for _, jobs := range []int{1, 2, 7} {
		for _, first := range []string{"next", "settle", "emit"} {
			next, settled, emitted, returned := numbers(100, full), 0, 0, false
			blocked := func() (int, error) {
				i, err := next()
				if jobs > 1 && err != nil && first != "next" {
					select {}
				}
				return i, err
			}
			var mu sync.Mutex
			err := Settled(jobs, blocked, square, func(group []int) (int, error) {
				mu.Lock()
				defer mu.Unlock()
				if returned {
					t.Error("settle is called after the end")
				}
				if first == "settle" && settled+len(group) >= 50 {
					n := 50 - settled
					settled = 50
					return n, full
				}
				settled += len(group)
				return len(group), nil
			}, func(int) error {
				if emitted++; first == "emit" && emitted == 50 {
					return full
				}
				return nil
			})
			mu.Lock()
			returned = true
			mu.Unlock()
			want := 50
			if first == "next" {
				want = 100
			}
			if err != full || emitted != want {
				t.Errorf("jobs %d, error of %s: %v after %d results, want %d", jobs, first, err, emitted, want)
			}
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
