package spill

import "slices"

// pileBlock is how many bytes a block of a pile holds, unless memory is so small that
// every pile could not have two such blocks.
const pileBlock = 1 << 12

// Piles keep bytes apart, each piece behind those that came to its pile before it, in
// bounded memory. They wait in blocks; when all blocks together reach the limit they
// are appended to a log, a segment a pile, so that a pile is read back in few long
// pieces.
//
// Cost: the bytes, in memory or on disk, and half a block a pile. Piles are not safe for
// concurrent use.
type Piles struct {
	piles []pile
	pool  pool[byte]
	log   Log
}

// A pile is its early bytes on disk, and the late ones in memory.
type pile struct {
	segs   []segment
	blocks [][]byte // full
	last   []byte   // the block that is being filled
}

// NewPiles returns n piles that hold about mem bytes in memory.
func NewPiles(n int, mem int64) *Piles {
	block := min(pileBlock, max(64, mem/int64(2*n)))
	return &Piles{piles: make([]pile, n), pool: pool[byte]{size: int(block), limit: int(max(1, mem/block))}}
}

// Add puts pieces onto a pile, one after the other.
func (p *Piles) Add(number int, pieces ...[]byte) error {
	pile := &p.piles[number]
	for _, piece := range pieces {
		for {
			n := min(len(piece), cap(pile.last)-len(pile.last))
			pile.last, piece = append(pile.last, piece[:n]...), piece[n:]
			if len(piece) == 0 {
				break
			}
			if p.pool.full() {
				if err := p.spill(); err != nil {
					return err
				}
			}
			if pile.last != nil {
				pile.blocks = append(pile.blocks, pile.last)
			}
			pile.last = p.pool.get()
		}
	}
	return nil
}

// spill appends all blocks to the log.
func (p *Piles) spill() error {
	for i := range p.piles {
		pile := &p.piles[i]
		if pile.last == nil {
			continue
		}
		first := p.log.Len()
		for _, b := range append(pile.blocks, pile.last) {
			if _, err := p.log.Write(b); err != nil {
				return err
			}
			p.pool.put(b)
		}
		pile.segs = append(pile.segs, segment{first, p.log.Len() - first})
		pile.last, pile.blocks = nil, pile.blocks[:0]
	}
	return nil
}

// Take appends a pile to dst. What it held in memory is given up: it can be taken once.
func (p *Piles) Take(number int, dst []byte) ([]byte, error) {
	taken := p.piles[number]
	p.piles[number] = pile{}
	for _, s := range taken.segs {
		at, end := len(dst), len(dst)+int(s.n)
		dst = slices.Grow(dst, int(s.n))[:end]
		if _, err := p.log.ReadAt(dst[at:], s.first); err != nil {
			return dst[:at], err
		}
	}
	for _, b := range taken.blocks {
		dst = append(dst, b...)
	}
	return append(dst, taken.last...), nil
}

// Spilled returns the number of bytes that were spilled.
func (p *Piles) Spilled() int64 { return p.log.Len() }

// Close gives up the scratch file.
func (p *Piles) Close() error { return p.log.Close() }
