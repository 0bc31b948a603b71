package par

// Spares is a free list of values to reuse. Unlike a sync.Pool, it keeps its values during garbage
// collections, which run hundreds of times if the heap is small and there is much garbage. The list
// is limited to the number of values that can be in use at the same time.
type Spares[T any] chan *T

// NewSpares returns an empty list for values that Ordered or Settled processes in n goroutines.
func NewSpares[T any](n int) Spares[T] { return make(chan *T, 4*n+4) }

// Get returns a value from the list, or a new zero value if the list is empty.
func (s Spares[T]) Get() *T {
	select {
	case t := <-s:
		return t
	default:
		return new(T)
	}
}

// Put adds a value to the list, unless the list is full.
func (s Spares[T]) Put(t *T) {
	select {
	case s <- t:
	default:
	}
}
