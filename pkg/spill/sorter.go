package spill

import (
	"slices"
	"sync"
	"unsafe"

	"doppel/pkg/spill/radix"
)

// maxBlock is how many entries a block holds, unless memory is so small that
// every partition could not have two such blocks.
const maxBlock = 256

// A Sorter takes entries and gives them back by partition, sorted by their
// first word, in bounded memory.
//
// The partition of an entry, a coarse rank, is given by the caller. Partitions
// are read back one after the other, and only one of them is sorted at a time,
// so there is no merge, except of a partition that is too large for that: see Merged.
// Entries wait in blocks of 256 a partition; when all blocks together reach the limit they
// are appended to a spool, a segment a partition. Entries with equal first words stay in
// the order of insertion.
//
// Cost: 8 to 24 bytes an entry, in memory or on disk; one partition twice
// while it is sorted.
//
// It is not safe for concurrent use until all entries are added; then Sorted
// may be called for several partitions at once.
//
// Many partitions, such as the 256 of each of 16 bands, do not fit into a cache. Entries
// for 256 neighbouring ones are staged in one array, which is written from the start to
// the end, and dealt out together. That takes 17 ns of processor time an entry instead of
// 23, writing included (go test -bench Scatter ./pkg/spill).
type Sorter[E Entry] struct {
	parts  []part[E]
	pool   pool[E]
	n      int64
	spool  Spool[E]
	mu     sync.Mutex // of stages, when entries are read
	stages []stage[E] // by number of the partition >> stageBits; nil: entries are not staged
	err    error      // of finish
}

// A stage holds entries that wait to be dealt out to their partitions.
type stage[E Entry] struct {
	n       int
	low     [stageLen]uint8 // of the number of the partition
	entries [stageLen]E
}

const (
	stageBits = 8
	stageLen  = 1024
)

// A part is what one partition has in memory and on disk.
type part[E Entry] struct {
	last   []E   // the block that is being filled
	n      int   // entries, without those of last
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
	s := &Sorter[E]{parts: make([]part[E], partitions), pool: pool[E]{size: int(block), limit: int(limit)}}
	if stages := partitions >> stageBits; stages >= 4 && int64(stages*stageLen)*size < mem/8 {
		s.stages = make([]stage[E], (partitions-1)>>stageBits+1)
	}
	return s
}

// Add adds an entry to a partition.
func (s *Sorter[E]) Add(partition int, e E) error {
	s.n++
	if s.stages != nil {
		t := &s.stages[partition>>stageBits]
		t.low[t.n], t.entries[t.n] = uint8(partition), e
		if t.n++; t.n < stageLen {
			return nil
		}
		return s.deal(partition >> stageBits)
	}
	p := &s.parts[partition]
	if len(p.last) == cap(p.last) {
		if err := s.grow(p); err != nil {
			return err
		}
	}
	p.last = append(p.last, e)
	return nil
}

// AddAll adds entries to a partition, for less than Add takes for each.
func (s *Sorter[E]) AddAll(partition int, entries []E) error {
	if s.stages != nil { // entries with equal keys stay in order
		if err := s.deal(partition >> stageBits); err != nil {
			return err
		}
	}
	s.n += int64(len(entries))
	p := &s.parts[partition]
	for len(entries) > 0 {
		if len(p.last) == cap(p.last) {
			if err := s.grow(p); err != nil {
				return err
			}
		}
		n := min(len(entries), cap(p.last)-len(p.last))
		p.last, entries = append(p.last, entries[:n]...), entries[n:]
	}
	return nil
}

// deal deals the entries of a stage out to their partitions.
func (s *Sorter[E]) deal(number int) error {
	t := &s.stages[number]
	parts := s.parts[number<<stageBits:]
	for i := range t.entries[:t.n] {
		p := &parts[t.low[i]]
		if len(p.last) == cap(p.last) {
			if err := s.grow(p); err != nil {
				return err
			}
		}
		p.last = append(p.last, t.entries[i])
	}
	t.n = 0
	return nil
}

// finish deals out all stages before entries are read.
func (s *Sorter[E]) finish() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.stages {
		if s.err = s.deal(i); s.err != nil {
			break
		}
	}
	s.stages = nil
	return s.err
}

// grow gives a partition a new block, after spilling if the limit is reached.
func (s *Sorter[E]) grow(p *part[E]) error {
	if s.pool.full() {
		if err := s.spill(); err != nil {
			return err
		}
	}
	if p.last != nil {
		p.n += len(p.last)
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
		p.n += len(p.last)
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
func (s *Sorter[E]) Spilled() int64 {
	s.finish() // its error comes when entries are read
	return s.spool.log.Len()
}

// Partitions returns the number of partitions.
func (s *Sorter[E]) Partitions() int { return len(s.parts) }

// Sorted is SortedIn in memory that is the caller's.
func (s *Sorter[E]) Sorted(partition int) ([]E, error) {
	return s.SortedIn(new(Room[E]), partition)
}

// A Room is memory in which a partition is sorted, and then the next one: made anew
// for each, it would be half as much garbage as the run holds.
type Room[E Entry] struct{ entries, tmp []E }

// SortedIn returns the entries of a partition sorted by key, in a room that is theirs
// until it is used again. What the partition held in memory is given up: it can be
// read once.
func (s *Sorter[E]) SortedIn(r *Room[E], partition int) ([]E, error) {
	if n := s.PartLen(partition); cap(r.entries) < n {
		n += n / 8 // partitions are alike, not equal
		r.entries, r.tmp = make([]E, n), make([]E, n)
	}
	all, err := s.Take(r.entries[:0], partition)
	if err != nil {
		return nil, err
	}
	return radix.Sort(all, r.tmp[:len(all)], radix.First), nil
}

// Take appends the entries of a partition to dst in the order of insertion. What the
// partition held in memory is given up: it can be read once.
func (s *Sorter[E]) Take(dst []E, partition int) ([]E, error) {
	if err := s.finish(); err != nil {
		return nil, err
	}
	p := &s.parts[partition]
	p.n += len(p.last)
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
func (s *Sorter[E]) PartLen(partition int) int {
	s.finish() // its error comes when entries are read
	p := &s.parts[partition]
	return p.n + len(p.last)
}

// Each calls fn with the entries of a partition in the order of insertion. It
// holds only what was in memory before, and leaves it there.
func (s *Sorter[E]) Each(partition int, fn func(E) error) error {
	if err := s.finish(); err != nil {
		return err
	}
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
