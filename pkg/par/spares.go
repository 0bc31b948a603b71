package par

// Spares are things whose memory is free to be used again. Unlike a sync.Pool they
// outlast a collection, of which a small heap that is filled again and again sees
// hundreds; and they are never more than were under way at once.
type Spares[T any] chan *T

// NewSpares returns a list of spares for a run in n goroutines.
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

// Put gives up what nobody uses any more.
func (s Spares[T]) Put(t *T) {
	select {
	case s <- t:
	default:
	}
}
