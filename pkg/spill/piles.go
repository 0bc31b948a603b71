package spill

import (
	"io"
	"slices"
)

// pileBlock is the size of a block of a pile in bytes, unless memory is too small for two such
// blocks per pile.
const pileBlock = 1 << 12

// Piles store bytes in numbered piles, in the order of insertion, in bounded memory. Add collects
// the bytes in blocks. When the blocks of all piles reach the limit, Add appends them to a log,
// with one segment per pile. So a pile is read back in a few long pieces.
//
// Cost: the bytes themselves, in memory or on disk, plus on average half a block of unused memory
// per pile. Piles are not safe for concurrent use.
type Piles struct {
	piles []pile
	pool  pool[byte]
	log   Log
}

// A pile has its earlier bytes on disk and its later bytes in memory.
type pile struct {
	segs   []segment
	blocks [][]byte // the full blocks
	last   []byte   // the block being filled
}

// NewPiles returns n piles that together hold about mem bytes in memory.
func NewPiles(n int, mem int64) *Piles {
	block := min(pileBlock, max(64, mem/int64(2*n)))
	return &Piles{piles: make([]pile, n), pool: pool[byte]{size: int(block), limit: int(max(1, mem/block))}}
}

// Add appends copies of the pieces to a pile.
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

// Take appends the bytes of a pile to dst and empties the pile.
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

// Copy writes the bytes of a pile to w and returns their number. It does not change the pile.
func (p *Piles) Copy(w io.Writer, number int) (size int64, err error) {
	pile := &p.piles[number]
	for _, s := range pile.segs {
		n, err := io.Copy(w, io.NewSectionReader(&p.log, s.first, s.n))
		if size += n; err != nil {
			return size, err
		}
	}
	for _, b := range append(slices.Clip(pile.blocks), pile.last) {
		n, err := w.Write(b)
		if size += int64(n); err != nil {
			return size, err
		}
	}
	return size, nil
}

// Spilled returns the number of bytes written to disk.
func (p *Piles) Spilled() int64 { return p.log.Len() }

// Close closes the scratch file.
func (p *Piles) Close() error { return p.log.Close() }
