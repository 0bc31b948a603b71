package spill

import (
	"slices"
	"unsafe"

	"doppel/pkg/radix"
)

// maxBlock is how many entries a block holds, unless memory is so small that
// every partition could not have two such blocks.
const maxBlock = 256

// A Sorter takes entries and gives them back by partition, sorted by their
// first word, in bounded memory.
//
// The partition of an entry, a coarse rank, is given by the caller. Partitions
// are read back one after the other, and only one of them is sorted at a time,
// so there is no merge, but of one that is too large for that: see Merged. Entries wait in blocks of 256 a partition; when all
// blocks together reach the limit they are appended to a spool, a segment a
// partition. Entries with equal first words stay in the order of insertion.
//
// Cost: 8 to 24 bytes an entry, in memory or on disk; one partition twice
// while it is sorted.
//
// It is not safe for concurrent use until all entries are added; then Sorted
// may be called for several partitions at once.
type Sorter[E Entry] struct {
	parts []part[E]
	pool  pool[E]
	n     int64
	spool Spool[E]
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

type segment struct{ first, n int64 }

// NewSorter returns a sorter with the given number of partitions that holds about
// mem bytes of entries in memory.
func NewSorter[E Entry](partitions int, mem int64) *Sorter[E] {
	size := int64(unsafe.Sizeof(*new(E)))
	block := min(maxBlock, max(8, mem/size/int64(2*partitions)))
	limit := max(1, mem/(block*size))
	return &Sorter[E]{parts: make([]part[E], partitions), pool: pool[E]{size: int(block), limit: int(limit)}}
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
	if s.pool.full() {
		if err := s.spill(); err != nil {
			return err
		}
	}
	if p.last != nil {
		p.blocks = append(p.blocks, p.last)
	}
	p.last = s.pool.get()
	return nil
}

// spill appends all blocks to the spool.
func (s *Sorter[E]) spill() error {
	for i := range s.parts {
		p := &s.parts[i]
		if p.last == nil {
			continue
		}
		seg := segment{first: s.spool.n}
		p.held(func(b []E) {
			s.spool.Add(b...)
			s.pool.put(b)
		})
		seg.n = s.spool.n - seg.first
		p.segs = append(p.segs, seg)
		p.last, p.blocks = nil, p.blocks[:0]
	}
	return s.spool.log.err
}

// Len returns the number of entries.
func (s *Sorter[E]) Len() int64 { return s.n }

// Spilled returns the number of bytes that were spilled.
func (s *Sorter[E]) Spilled() int64 { return s.spool.log.Len() }

// Partitions returns the number of partitions.
func (s *Sorter[E]) Partitions() int { return len(s.parts) }

// Sorted is SortedIn in memory that is the caller's.
func (s *Sorter[E]) Sorted(partition int) ([]E, error) {
	return s.SortedIn(new(Room[E]), partition)
}

// A Room is memory in which a partition is sorted, and then the next one: made anew
// for each, it would be half as much garbage as the run holds.
type Room[E Entry] struct{ entries, tmp []E }

// of returns room for n entries.
func (r *Room[E]) of(n int) (entries, tmp []E) {
	if cap(r.entries) < n {
		n += n / 8 // partitions are alike, not equal
		r.entries, r.tmp = make([]E, n), make([]E, n)
	}
	return r.entries[:0], r.tmp
}

// SortedIn returns the entries of a partition sorted by key, in a room that is theirs
// until it is used again. What the partition held in memory is given up: it can be
// read once.
func (s *Sorter[E]) SortedIn(r *Room[E], partition int) ([]E, error) {
	all, tmp := r.of(s.PartLen(partition))
	all, err := s.Take(all, partition)
	if err != nil {
		return nil, err
	}
	return radix.Sort(all, tmp[:len(all)], radix.First), nil
}

// Take appends the entries of a partition to dst in the order of insertion. What the
// partition held in memory is given up: it can be read once.
func (s *Sorter[E]) Take(dst []E, partition int) ([]E, error) {
	p := &s.parts[partition]
	dst = slices.Grow(dst, p.n)
	for _, seg := range p.segs {
		dst = dst[:len(dst)+int(seg.n)]
		if err := s.spool.ReadAt(dst[len(dst)-int(seg.n):], seg.first); err != nil {
			return nil, err
		}
	}
	p.held(func(b []E) { dst = append(dst, b...) })
	p.last, p.blocks, p.segs = nil, nil, nil
	return dst, nil
}

// PartLen returns the number of entries of a partition.
func (s *Sorter[E]) PartLen(partition int) int { return s.parts[partition].n }

// Each calls fn with the entries of a partition in the order of insertion. It
// holds only what was in memory before, and leaves it there.
func (s *Sorter[E]) Each(partition int, fn func(E) error) error {
	p := &s.parts[partition]
	buf := make([]E, maxBlock)
	for _, seg := range p.segs {
		if err := eachOf(s.spool.section(seg.first, seg.n), buf, fn); err != nil {
			return err
		}
	}
	for _, b := range p.blocks {
		if err := each(b, fn); err != nil {
			return err
		}
	}
	return each(p.last, fn)
}

// Close gives up the scratch file.
func (s *Sorter[E]) Close() error { return s.spool.Close() }
