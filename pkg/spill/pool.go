package spill

// A pool hands out blocks of one size, and takes them back to hand them out again.
type pool[T any] struct {
	free  [][]T
	size  int // of a block
	held  int // blocks that are out
	limit int // of held
}

// full reports whether as many blocks are out as may be.
func (p *pool[T]) full() bool { return p.held >= p.limit }

// get returns an empty block.
func (p *pool[T]) get() []T {
	p.held++
	if n := len(p.free); n > 0 {
		block := p.free[n-1]
		p.free = p.free[:n-1]
		return block
	}
	return make([]T, 0, p.size)
}

// put takes a block back.
func (p *pool[T]) put(block []T) {
	p.held--
	p.free = append(p.free, block[:0])
}
