package spill

import (
	"cmp"
	"slices"
	"sync"
	"unsafe"

	"doppel/pkg/spill/radix"
)

// maxBlock is the number of entries in a block, unless memory is too small for two such blocks
// per partition.
const maxBlock = 256

// A Sorter stores entries and returns them by partition, sorted by key, in bounded memory. The key
// of an entry is its first word.
//
// The caller assigns each entry to a partition, for example by the high bits of the key. The Sorter
// reads back one partition at a time and sorts it in memory, so it needs no merge. A partition that
// is too large for memory can be read with Merged. In memory, the entries of a partition are stored
// in blocks of 256. When the blocks of all partitions reach the limit, the Sorter appends them to a
// spool, with one segment per partition. Entries with equal keys stay in the order of insertion.
//
// Cost: 8 to 24 bytes per entry, in memory or on disk, and twice that for the partition being
// sorted.
//
// A Sorter is not safe for concurrent use until all entries are added. After that, several
// goroutines may call Sorted for different partitions at the same time. If several goroutines add
// entries, each needs a Sorter of its own: see Beside.
//
// Many partitions, such as 256 for each of 16 bands, do not fit into the CPU cache. With 1,024
// partitions or more, and enough memory, Add therefore collects the entries for 256 neighbouring
// partitions in one array, a stage, which it fills sequentially. When a stage is full, Add
// distributes its entries to the partitions. Adding an entry then takes 24 ns of processor time
// instead of 27 ns, including writing to disk (go test -bench Scatter ./pkg/spill).
type Sorter[E Entry] struct {
	parts  []part[E]
	pool   pool[E]
	n      int64
	spool  Spool[E]
	mu     sync.Mutex // guards Sorter.stages while entries are read
	stages []stage[E] // indexed by partition >> stageBits; nil if Add does not use stages
	err    error      // the error that distributeAll returned
	beside []*Sorter[E]
}

// A stage holds entries that Add has not yet distributed to their partitions.
type stage[E Entry] struct {
	n       int
	low     [stageLen]uint8 // low bits of each entry's partition number
	entries [stageLen]E
}

const (
	stageBits = 8
	stageLen  = 4096
)

// A part describes one partition: its entries in memory and its segments on disk.
type part[E Entry] struct {
	last   []E   // the block being filled
	n      int   // number of entries, not counting the block being filled
	blocks [][]E // the full blocks
	segs   []segment
}

// eachBlock calls fn with each block in memory.
func (p *part[E]) eachBlock(fn func([]E)) {
	for _, b := range p.blocks {
		fn(b)
	}
	fn(p.last)
}

type segment struct{ first, n int64 }

// NewSorter returns a sorter with the given number of partitions. It holds about mem bytes of
// entries in memory.
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

// Beside returns a sorter with the same partitions and as much memory, which another goroutine can
// fill at the same time. Its entries are read from s, in every partition after those of s and of the
// sorters that Beside returned before. Of its methods, only Add and AddAll may be called.
func (s *Sorter[E]) Beside() *Sorter[E] {
	b := &Sorter[E]{parts: make([]part[E], len(s.parts)), pool: pool[E]{size: s.pool.size, limit: s.pool.limit}}
	if s.stages != nil {
		b.stages = make([]stage[E], len(s.stages))
	}
	s.beside = append(s.beside, b)
	return b
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
		return s.distribute(partition >> stageBits)
	}
	p := &s.parts[partition]
	if len(p.last) == cap(p.last) {
		if err := s.addBlock(p); err != nil {
			return err
		}
	}
	p.last = append(p.last, e)
	return nil
}

// AddAll adds entries to a partition. It is faster than calling Add for each entry.
func (s *Sorter[E]) AddAll(partition int, entries []E) error {
	if s.stages != nil { // distribute earlier entries first, so that entries with equal keys stay in order
		if err := s.distribute(partition >> stageBits); err != nil {
			return err
		}
	}
	s.n += int64(len(entries))
	p := &s.parts[partition]
	for len(entries) > 0 {
		if len(p.last) == cap(p.last) {
			if err := s.addBlock(p); err != nil {
				return err
			}
		}
		n := min(len(entries), cap(p.last)-len(p.last))
		p.last, entries = append(p.last, entries[:n]...), entries[n:]
	}
	return nil
}

// distribute moves the entries of a stage to their partitions.
func (s *Sorter[E]) distribute(number int) error {
	t := &s.stages[number]
	parts := s.parts[number<<stageBits:]
	for i := range t.entries[:t.n] {
		p := &parts[t.low[i]]
		if len(p.last) == cap(p.last) {
			if err := s.addBlock(p); err != nil {
				return err
			}
		}
		p.last = append(p.last, t.entries[i])
	}
	t.n = 0
	return nil
}

// distributeAll empties all stages before entries are read.
func (s *Sorter[E]) distributeAll() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.stages {
		if s.err = s.distribute(i); s.err != nil {
			break
		}
	}
	s.stages = nil
	for _, b := range s.beside {
		s.err = cmp.Or(s.err, b.distributeAll())
	}
	return s.err
}

// addBlock adds an empty block to a partition. If the memory limit is reached, it first spills all
// blocks.
func (s *Sorter[E]) addBlock(p *part[E]) error {
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
		p.eachBlock(func(b []E) {
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
func (s *Sorter[E]) Len() int64 {
	n := s.n
	for _, b := range s.beside {
		n += b.n
	}
	return n
}

// Spilled returns the number of bytes written to disk.
func (s *Sorter[E]) Spilled() int64 {
	s.distributeAll() // ignore the error; every method that reads entries returns it
	n := s.spool.log.Len()
	for _, b := range s.beside {
		n += b.spool.log.Len()
	}
	return n
}

// Partitions returns the number of partitions.
func (s *Sorter[E]) Partitions() int { return len(s.parts) }

// Sorted is like SortedIn, but allocates new memory, so the caller owns the result.
func (s *Sorter[E]) Sorted(partition int) ([]E, error) {
	return s.SortedIn(new(Room[E]), partition)
}

// A Room is memory that SortedIn reuses for one partition after another, to avoid garbage.
type Room[E Entry] struct{ entries, tmp []E }

// SortedIn returns the entries of a partition, sorted by key. They are in the memory of r and valid
// until the next use of r. SortedIn empties the partition, so the caller can read it only once.
func (s *Sorter[E]) SortedIn(r *Room[E], partition int) ([]E, error) {
	if n := s.PartLen(partition); cap(r.entries) < n {
		n += n / 8 // leave room, so that slightly larger partitions fit into the same memory later
		r.entries, r.tmp = make([]E, n), make([]E, n)
	}
	all, err := s.Take(r.entries[:0], partition)
	if err != nil {
		return nil, err
	}
	return radix.Sort(all, r.tmp[:len(all)], radix.First), nil
}

// Take appends the entries of a partition to dst in the order of insertion. It empties the
// partition, so the caller can read it only once.
func (s *Sorter[E]) Take(dst []E, partition int) ([]E, error) {
	if err := s.distributeAll(); err != nil {
		return nil, err
	}
	dst = slices.Grow(dst, s.lenOf(partition))
	dst, err := s.take(dst, partition)
	for i := 0; i < len(s.beside) && err == nil; i++ {
		dst, err = s.beside[i].take(dst, partition)
	}
	return dst, err
}

// take is like Take, for the entries of s alone.
func (s *Sorter[E]) take(dst []E, partition int) ([]E, error) {
	p := &s.parts[partition]
	for _, seg := range p.segs {
		dst = dst[:len(dst)+int(seg.n)]
		if err := s.spool.ReadAt(dst[len(dst)-int(seg.n):], seg.first); err != nil {
			return nil, err
		}
	}
	p.eachBlock(func(b []E) { dst = append(dst, b...) })
	p.last, p.blocks, p.segs = nil, nil, nil
	return dst, nil
}

// PartLen returns the number of entries of a partition.
func (s *Sorter[E]) PartLen(partition int) int {
	s.distributeAll() // ignore the error; every method that reads entries returns it
	return s.lenOf(partition)
}

func (s *Sorter[E]) lenOf(partition int) int {
	p := &s.parts[partition]
	n := p.n + len(p.last)
	for _, b := range s.beside {
		n += b.lenOf(partition)
	}
	return n
}

// Each calls fn with the entries of a partition in the order of insertion. It reads entries on disk
// through a small buffer, and does not empty the partition.
func (s *Sorter[E]) Each(partition int, fn func(E) error) error {
	if err := s.distributeAll(); err != nil {
		return err
	}
	err := s.each(partition, fn)
	for i := 0; i < len(s.beside) && err == nil; i++ {
		err = s.beside[i].each(partition, fn)
	}
	return err
}

// each is like Each, for the entries of s alone.
func (s *Sorter[E]) each(partition int, fn func(E) error) error {
	p := &s.parts[partition]
	buf := make([]E, maxBlock)
	for _, seg := range p.segs {
		if err := eachRead(s.spool.section(seg.first, seg.n), buf, fn); err != nil {
			return err
		}
	}
	for _, b := range p.blocks {
		if err := eachEntry(b, fn); err != nil {
			return err
		}
	}
	return eachEntry(p.last, fn)
}

// Close closes the scratch files.
func (s *Sorter[E]) Close() error {
	err := s.spool.Close()
	for _, b := range s.beside {
		err = cmp.Or(err, b.Close())
	}
	return err
}

// A pool allocates blocks of one size and recycles them.
type pool[T any] struct {
	free  [][]T
	size  int // capacity of a block
	held  int // number of blocks in use
	limit int // number of blocks in use at which the pool is full
}

// full reports whether the number of blocks in use has reached the limit.
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

// put returns a block to the pool.
func (p *pool[T]) put(block []T) {
	p.held--
	p.free = append(p.free, block[:0])
}
