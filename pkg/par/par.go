// Package par runs a function on each item of a stream in several goroutines. It keeps the order
// of the stream, so output does not depend on the number of goroutines.
package par

import (
	"io"
	"sync"
	"sync/atomic"
)

// Ordered calls next to get items, processes them in n goroutines, and passes the results to emit
// in the order of the items. Each goroutine calls newWork once and uses the returned function,
// which can have state, for all its items. All calls of emit are made in the caller's goroutine,
// one at a time.
//
// At most 2n+2 items are in progress. If emit returns an error, Ordered returns it immediately. If
// next returns an error, Ordered emits the results of all earlier items, then returns the error, or
// nil if the error is io.EOF. With n <= 1, everything runs in the caller's goroutine.
func Ordered[T, R any](n int, next func() (T, error), newWork func() func(T) R, emit func(R) error) error {
	return grouped(n, 1, next, newWork, func(group []R) error { return emit(group[0]) })
}

// Grouped is like Ordered, but passes several results at a time to emit: those that are ready, at
// least one and at most n. So if emit is slow, its groups are large, and it can do part of its work
// with Each. At most 3n+3 items are in progress. A group must not be used after emit returns.
func Grouped[T, R any](n int, next func() (T, error), newWork func() func(T) R, emit func([]R) error) error {
	return grouped(n, n, next, newWork, emit)
}

// grouped is Grouped with at most the given number of results in a group.
func grouped[T, R any](n, most int, next func() (T, error), newWork func() func(T) R, emit func([]R) error) error {
	if n <= 1 {
		return serial(next, newWork(), emit)
	}
	type job struct {
		item   T
		result chan R
	}
	queue := make(chan job, n)
	results := make(chan chan R, n+2) // one channel per job, in the order of the items
	stop := make(chan struct{})
	var readErr error // error returned by next; set before results is closed
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			work := newWork()
			for j := range queue {
				j.result <- work(j.item)
			}
		})
	}
	wg.Go(func() {
		defer close(results)
		defer close(queue)
		for {
			item, err := next()
			if err != nil {
				readErr = err
				return
			}
			j := job{item, make(chan R, 1)}
			select {
			case results <- j.result:
			case <-stop:
				return
			}
			queue <- j
		}
	})
	ready := groups[R]{results: results, group: make([]R, 0, most)}
	for ready.next() {
		if err := emit(ready.group); err != nil {
			close(stop) // return without waiting for next, which may be blocked on a slow pipe
			return err
		}
	}
	wg.Wait()
	if readErr != io.EOF {
		return readErr
	}
	return nil
}

// groups divides the results of a stream into groups.
type groups[R any] struct {
	results chan chan R
	waiting chan R // the next result, taken from results before it was ready; nil if there is none
	group   []R
}

// next waits for a result and makes it the group, with those after it that are ready, up to the
// capacity of the group. It reports whether there is a result.
func (g *groups[R]) next() bool {
	clear(g.group)
	if g.waiting == nil {
		g.waiting = <-g.results
	}
	if g.waiting == nil {
		return false
	}
	g.group = append(g.group[:0], <-g.waiting)
	g.waiting = nil
	for len(g.group) < cap(g.group) {
		if g.waiting == nil {
			select {
			case g.waiting = <-g.results: // nil after the end of the stream
			default:
			}
		}
		select {
		case r := <-g.waiting:
			g.group = append(g.group, r)
			g.waiting = nil
		default:
			return true
		}
	}
	return true
}

func serial[T, R any](next func() (T, error), work func(T) R, emit func([]R) error) error {
	group := make([]R, 1)
	for {
		item, err := next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		group[0] = work(item)
		if err := emit(group); err != nil {
			return err
		}
	}
}

// Each calls do with the numbers from 0 to count-1, in the caller's goroutine and in up to n-1
// others, and returns when all calls have returned. A call of Each takes about a microsecond for each
// goroutine. If all cores are busy, the caller does most of the work.
func Each(n, count int, do func(i int)) {
	n = min(n, count)
	if n <= 1 {
		for i := range count {
			do(i)
		}
		return
	}
	var begun atomic.Int64
	var unfinished sync.WaitGroup // counts calls, not goroutines: one that begins late finds nothing to do
	unfinished.Add(count)
	share := func() {
		for {
			i := int(begun.Add(1)) - 1
			if i >= count {
				return
			}
			do(i)
			unfinished.Done()
		}
	}
	for range n - 1 {
		go share()
	}
	share()
	unfinished.Wait()
}
