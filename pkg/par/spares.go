package par

import "sync"

// Spares is a free list of values to reuse. Unlike a sync.Pool, it keeps its values during garbage
// collections, which run hundreds of times if the heap is small and there is much garbage. The list
// is limited to the number of values that can be in use at the same time.
type Spares[T any] struct{ list *spares[T] }

type spares[T any] struct {
	mu    sync.Mutex
	stack []*T
}

// NewSpares returns an empty list for values that Ordered or Settled processes in n goroutines.
func NewSpares[T any](n int) Spares[T] {
	return Spares[T]{&spares[T]{stack: make([]*T, 0, 4*max(n, 1)+4)}}
}

// Get returns the value that was put into the list last, whose memory is most likely in the caches of
// the processor, or a new zero value if the list is empty.
func (s Spares[T]) Get() (t *T) {
	s.list.mu.Lock()
	defer s.list.mu.Unlock()
	last := len(s.list.stack) - 1
	if last < 0 {
		return new(T)
	}
	t, s.list.stack[last] = s.list.stack[last], nil
	s.list.stack = s.list.stack[:last]
	return t
}

// Put adds a value to the list, unless the list is full.
func (s Spares[T]) Put(t *T) {
	s.list.mu.Lock()
	defer s.list.mu.Unlock()
	if len(s.list.stack) < cap(s.list.stack) {
		s.list.stack = append(s.list.stack, t)
	}
}
