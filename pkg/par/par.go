// Package par runs a function over a stream of items in several goroutines and keeps the order
// of the stream, so that output does not depend on the number of threads.
package par

import (
	"io"
	"sync"
)

// Ordered reads items with next until it returns an error, calls work on them in n goroutines,
// and passes each result to emit in the order of the items. newWork is called once per
// goroutine, to create state for that goroutine only. Emit runs in the caller's goroutine, one
// call at a time.
//
// At most 2n+2 items are in progress. An error of emit ends the run and is returned; so does an
// error of next, after all earlier items were emitted, except io.EOF, which is the normal end.
// With n = 1 everything runs in the caller's goroutine.
func Ordered[T, R any](n int, next func() (T, error), newWork func() func(T) R, emit func(R) error) error {
	if n <= 1 {
		return serial(next, newWork(), emit)
	}
	type job struct {
		item   T
		result chan R
	}
	queue := make(chan job, n)
	results := make(chan chan R, n+2) // one per job, in reading order
	stop := make(chan struct{})
	var readErr error // set before results is closed
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
			close(stop) // not waited for: the reader may be blocked on a slow pipe
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
