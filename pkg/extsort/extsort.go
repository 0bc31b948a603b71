// Package extsort sorts fixed-width entries in bounded memory.
//
// An entry is one to three 64-bit words, of which the first is the key. The
// caller also gives each entry a partition, a coarse rank: partitions are read
// back one after the other, and only one of them is sorted at a time, by a
// byte-wise radix sort that passes over the bytes in which all keys agree. So
// there is no merge. Entries wait in blocks of 256 a partition; when all
// blocks together reach the limit they are appended to an unnamed scratch
// file, a segment a partition. Equal keys stay in the order of insertion.
//
// Cost: 8 to 24 bytes an entry, in memory or on disk; one partition twice
// while it is sorted. Measured: go test -bench . ./pkg/extsort.
package extsort

import (
	"os"
	"unsafe"

	"doppel/pkg/scratch"
)

// An Entry is a key, or a key and one or two values.
type Entry interface {
	[1]uint64 | [2]uint64 | [3]uint64
}

// maxBlock is how many entries a block holds, unless memory is so small that
// every partition could not have two such blocks.
const maxBlock = 256

// A Sorter takes entries and gives them back by partition, sorted.
// It is not safe for concurrent use until all entries are added; then Sorted
// may be called for several partitions at once.
type Sorter[E Entry] struct {
	parts []part[E]
	free  [][]E // blocks that were spilled
	block int   // entries in a block
	held  int   // blocks in use
	limit int   // of held
	n     int64
	file  *os.File
	end   int64 // of file
}

// A part is what one partition has in memory and on disk. What Add touches, in
// an order that no cache foresees, lies together.
type part[E Entry] struct {
	last   []E // the block that is being filled
	n      int
	blocks [][]E // full
	segs   []segment
}

// held calls fn with each block in memory.
func (p *part[E]) held(fn func([]E)) {
	for _, b := range p.blocks {
		fn(b)
	}
	fn(p.last)
}

type segment struct{ offset, n int64 }

// New returns a sorter with the given number of partitions that holds about
// mem bytes of entries in memory.
func New[E Entry](partitions int, mem int64) *Sorter[E] {
	var e E
	size := int64(unsafe.Sizeof(e))
	block := min(maxBlock, max(8, mem/size/int64(2*partitions)))
	limit := max(1, mem/(block*size))
	return &Sorter[E]{parts: make([]part[E], partitions), block: int(block), limit: int(limit)}
}

// Add adds an entry to a partition.
func (s *Sorter[E]) Add(partition int, e E) error {
	p := &s.parts[partition]
	if len(p.last) == cap(p.last) {
		if err := s.grow(p); err != nil {
			return err
		}
	}
	p.last = append(p.last, e)
	p.n++
	s.n++
	return nil
}

// grow gives a partition a new block, after spilling if the limit is reached.
func (s *Sorter[E]) grow(p *part[E]) error {
	if s.held >= s.limit {
		if err := s.spill(); err != nil {
			return err
		}
	}
	s.held++
	if p.last != nil {
		p.blocks = append(p.blocks, p.last)
	}
	if n := len(s.free); n > 0 {
		p.last, s.free = s.free[n-1], s.free[:n-1]
		return nil
	}
	p.last = make([]E, 0, s.block)
	return nil
}

// spill appends all blocks to the scratch file.
func (s *Sorter[E]) spill() (err error) {
	if s.file == nil {
		if s.file, err = scratch.Create(); err != nil {
			return err
		}
	}
	w := &offsetWriter{f: s.file, end: s.end}
	for i := range s.parts {
		p := &s.parts[i]
		if p.last == nil {
			continue
		}
		seg := segment{offset: w.end}
		p.held(func(b []E) {
			seg.n += int64(len(b))
			w.write(bytesOf(b))
			s.free = append(s.free, b[:0])
		})
		p.segs = append(p.segs, seg)
		p.last, p.blocks = nil, p.blocks[:0]
	}
	s.held = 0
	s.end = w.end
	return w.flush()
}

// Len returns the number of entries.
func (s *Sorter[E]) Len() int64 { return s.n }

// Spilled returns the number of bytes that were written to disk.
func (s *Sorter[E]) Spilled() int64 { return s.end }

// Partitions returns the number of partitions.
func (s *Sorter[E]) Partitions() int { return len(s.parts) }

// Sorted returns the entries of a partition sorted by key, in memory that is
// the caller's. What the partition held in memory is given up: it can be read
// once.
func (s *Sorter[E]) Sorted(partition int) ([]E, error) {
	p := &s.parts[partition]
	all := make([]E, 0, p.n)
	for _, seg := range p.segs {
		next := all[len(all) : len(all)+int(seg.n)]
		if _, err := s.file.ReadAt(bytesOf(next), seg.offset); err != nil {
			return nil, err
		}
		all = all[:len(all)+int(seg.n)]
	}
	p.held(func(b []E) { all = append(all, b...) })
	p.last, p.blocks, p.segs = nil, nil, nil
	return Radix(all, make([]E, len(all))), nil
}

// PartLen returns the number of entries of a partition.
func (s *Sorter[E]) PartLen(partition int) int { return s.parts[partition].n }

// Each calls fn with the entries of a partition in the order of insertion. It
// holds only what was in memory before, and leaves it there.
func (s *Sorter[E]) Each(partition int, fn func(E) error) error {
	p := &s.parts[partition]
	buf := make([]E, maxBlock)
	for _, seg := range p.segs {
		for first := int64(0); first < seg.n; first += maxBlock {
			buf = buf[:min(maxBlock, seg.n-first)]
			if _, err := s.file.ReadAt(bytesOf(buf), seg.offset+first*int64(unsafe.Sizeof(buf[0]))); err != nil {
				return err
			}
			if err := each(buf, fn); err != nil {
				return err
			}
		}
	}
	for _, b := range p.blocks {
		if err := each(b, fn); err != nil {
			return err
		}
	}
	return each(p.last, fn)
}

func each[E Entry](block []E, fn func(E) error) error {
	for _, e := range block {
		if err := fn(e); err != nil {
			return err
		}
	}
	return nil
}

// Close gives up the scratch file.
func (s *Sorter[E]) Close() error {
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}
