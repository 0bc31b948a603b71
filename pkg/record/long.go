package record

import "runtime/debug"

// A long line costs what it has and no more than once again: while it is read it
// lies in pieces, which one array of its very length then takes over, where an array
// that grows, as that of a row of CSV does, would leave behind all that it was. What is
// left behind is given back to the system at once, since the collector lets the heap
// grow by a share of what lives, which here is the record.

const (
	pieceBytes = 1 << 20  // of a piece, and so of a record that lies in pieces
	keptBytes  = 4 << 20  // that a batch may keep for the next records
	givenBytes = 16 << 20 // of a record for which it is worth a collection to give memory back
)

// pieces are the beginning of a record.
type pieces struct {
	all  [][]byte
	size int
}

// add takes a piece over, and returns room for the next one.
func (p *pieces) add(piece []byte) []byte {
	p.all = append(p.all, piece)
	p.size += len(piece)
	return make([]byte, 0, pieceBytes+blockSize)
}

// join returns the record that ends with the last piece.
func (p *pieces) join(last []byte) []byte {
	if p.size == 0 {
		return last
	}
	size := p.size + len(last)
	if size >= givenBytes {
		debug.FreeOSMemory() // what the record before left
	}
	whole := make([]byte, 0, size)
	for _, piece := range p.all {
		whole = append(whole, piece...)
	}
	whole = append(whole, last...)
	*p = pieces{}
	if size >= givenBytes {
		debug.FreeOSMemory()
	}
	return whole
}

// Shrink gives up what grew for a long record. The records are none afterwards.
func (b *Batch) Shrink() {
	b.release()
	if cap(b.data)+cap(b.arena) > keptBytes {
		*b = Batch{}
	}
}
