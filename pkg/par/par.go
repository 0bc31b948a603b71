// Package par runs a function on each item of a stream in several goroutines. It keeps the order
// of the stream, so output does not depend on the number of goroutines.
package par

import (
	"cmp"
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
	if n <= 1 {
		return serial(next, newWork(), emit)
	}
	s := begin(n, next, newWork)
	for result := range s.results {
		if err := emit(<-result); err != nil {
			close(s.stop) // return without waiting for next, which may be blocked on a slow pipe
			return err
		}
	}
	return s.end()
}

// Settled is like Ordered, but has two ordered steps, which run at the same time: settle and then emit.
// It passes settle several results at a time, those that are ready, at least one and at most n. So if
// settle is slow, its groups are large, and it can divide its work with Each. All calls of settle are
// made in one goroutine, one at a time. settle returns how many results of the group it has settled; if
// it also returns an error, Settled emits these results and then returns the error. No call of settle
// is running after Settled has returned. At most 4n+4 items are in progress.
func Settled[T, R any](n int, next func() (T, error), newWork func() func(T) R, settle func([]R) (int, error), emit func(R) error) error {
	if n <= 1 {
		work := newWork()
		return serial(next, func(item T) []R { return []R{work(item)} }, func(one []R) error {
			settled, err := settle(one)
			if settled > 0 {
				err = cmp.Or(err, emit(one[0]))
			}
			return err
		})
	}
	s := begin(n, next, newWork)
	type group struct {
		settled []R
		err     error
	}
	groups := make(chan group)
	var settling sync.Mutex
	go func() {
		defer close(groups)
		ready := gatherer[R]{results: s.results, most: n}
		for all := ready.next(); all != nil; all = ready.next() {
			settling.Lock()
			if s.stopped() {
				settling.Unlock()
				return
			}
			settled, err := settle(all)
			settling.Unlock()
			select {
			case groups <- group{all[:settled], err}:
			case <-s.stop:
				return
			}
			if err != nil {
				return
			}
		}
	}()
	for g := range groups {
		err := g.err
		for i := 0; i < len(g.settled); i++ {
			if eerr := emit(g.settled[i]); eerr != nil {
				err = cmp.Or(err, eerr)
				break
			}
		}
		if err != nil {
			close(s.stop)
			settling.Lock() // wait for a call of settle
			defer settling.Unlock()
			return err
		}
	}
	return s.end()
}

// A stream is a run of Ordered or Settled in several goroutines.
type stream[R any] struct {
	results chan chan R   // one channel per item, in the order of the items
	stop    chan struct{} // closed by the caller to stop reading
	readErr error         // error returned by next; set before results is closed
	wg      sync.WaitGroup
}

// begin starts the goroutines that read items and process them.
func begin[T, R any](n int, next func() (T, error), newWork func() func(T) R) *stream[R] {
	type job struct {
		item   T
		result chan R
	}
	queue := make(chan job, n)
	s := &stream[R]{results: make(chan chan R, n+2), stop: make(chan struct{})}
	for range n {
		s.wg.Go(func() {
			work := newWork()
			for j := range queue {
				j.result <- work(j.item)
			}
		})
	}
	s.wg.Go(func() {
		defer close(s.results)
		defer close(queue)
		for {
			item, err := next()
			if err != nil {
				s.readErr = err
				return
			}
			j := job{item, make(chan R, 1)}
			select {
			case s.results <- j.result:
			case <-s.stop:
				return
			}
			queue <- j
		}
	})
	return s
}

func (s *stream[R]) stopped() bool {
	select {
	case <-s.stop:
		return true
	default:
		return false
	}
}

// end waits for the goroutines, after the last result, and returns the error that ended the input.
func (s *stream[R]) end() error {
	s.wg.Wait()
	if s.readErr != io.EOF {
		return s.readErr
	}
	return nil
}

// A gatherer divides the results of a stream into groups.
type gatherer[R any] struct {
	results chan chan R
	waiting chan R // the next result, taken from results before it was ready; nil if there is none
	most    int
}

// next waits for a result and returns it with those after it that are ready, at most g.most in all. It
// returns nil if there is none.
func (g *gatherer[R]) next() (group []R) {
	if g.waiting == nil {
		g.waiting = <-g.results
	}
	if g.waiting == nil {
		return nil
	}
	group = append(make([]R, 0, g.most), <-g.waiting)
	g.waiting = nil
	for len(group) < g.most {
		if g.waiting == nil {
			select {
			case g.waiting = <-g.results: // nil after the end of the stream
			default:
			}
		}
		select {
		case r := <-g.waiting:
			group, g.waiting = append(group, r), nil
		default:
			return group
		}
	}
	return group
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
