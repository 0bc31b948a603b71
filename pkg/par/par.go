// Package par runs a function on each item of a stream in several goroutines. It keeps the order
// of the stream, so output does not depend on the number of goroutines.
package par

import (
	"io"
	"sync"
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
	for result := range results {
		if err := emit(<-result); err != nil {
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

func serial[T, R any](next func() (T, error), work func(T) R, emit func(R) error) error {
	for {
		item, err := next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := emit(work(item)); err != nil {
			return err
		}
	}
}
