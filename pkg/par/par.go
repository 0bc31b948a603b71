// Package par runs a function over a stream of items in several goroutines
// and keeps the order of the stream, so that output never depends on the
// number of threads.
package par

import (
	"io"
	"sync"
)

// Ordered reads items with next until it returns an error, calls work on them
// in n goroutines, and hands each result to emit in the order in which the
// items were read. newWork is called once a goroutine, for what that goroutine
// alone may touch. Emit runs in the caller's goroutine, one call at a time.
//
// At most 2n+2 items are under way. An error of emit ends the run and is
// returned; so is one of next, after all earlier items were emitted, except
// io.EOF, which is the end. With n = 1 all happens in the caller's goroutine.
func Ordered[T, R any](n int, next func() (T, error), newWork func() func(T) R, emit func(R) error) error {
	if n <= 1 {
		return serial(next, newWork(), emit)
	}
	o := &stream[T, R]{
		queue:   make(chan job[T, R], n),
		results: make(chan chan R, n+2),
		stop:    make(chan struct{}),
	}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() { o.run(newWork()) })
	}
	wg.Go(func() { o.read(next) })
	if err := o.drain(emit); err != nil {
		close(o.stop) // not waited for: the reader may be blocked on a slow pipe
		return err
	}
	wg.Wait()
	if o.readErr != io.EOF {
		return o.readErr
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

type job[T, R any] struct {
	item   T
	result chan R
}

type stream[T, R any] struct {
	queue   chan job[T, R]
	results chan chan R // one a job, in the order of reading
	stop    chan struct{}
	readErr error // set before results is closed
}

// read feeds the workers until next fails or the run is stopped.
func (o *stream[T, R]) read(next func() (T, error)) {
	defer close(o.results)
	defer close(o.queue)
	for {
		item, err := next()
		if err != nil {
			o.readErr = err
			return
		}
		j := job[T, R]{item, make(chan R, 1)}
		select {
		case o.results <- j.result:
		case <-o.stop:
			return
		}
		o.queue <- j
	}
}

func (o *stream[T, R]) run(work func(T) R) {
	for j := range o.queue {
		j.result <- work(j.item)
	}
}

func (o *stream[T, R]) drain(emit func(R) error) error {
	for result := range o.results {
		if err := emit(<-result); err != nil {
			return err
		}
	}
	return nil
}
