package par

// Spares is a free list of values to reuse. Unlike a sync.Pool it survives garbage collections,
// which run hundreds of times in a small heap with much garbage; its size is limited to the
// number of values in use at once.
type Spares[T any] chan *T

// NewSpares returns a free list for a run in n goroutines.
func NewSpares[T any](n int) Spares[T] { return make(chan *T, 2*n+3) }

// Get returns a spare, or a new zero value.
func (s Spares[T]) Get() *T {
	select {
	case t := <-s:
		return t
	default:
		return new(T)
	}
}

// Put adds a value for reuse.
func (s Spares[T]) Put(t *T) {
	select {
	case s <- t:
	default:
	}
}
