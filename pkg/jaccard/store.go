package jaccard

import (
	"os"
	"unsafe"

	"doppel/pkg/scratch"
)

// A Store keeps sets by number, up to a limit in memory, further ones in an
// unnamed scratch file.
type Store struct {
	sets  [][]uint64 // nil where the set is on disk or missing
	spans []span
	left  int64 // bytes that may still be held
	file  *os.File
	end   int64
	slab  []uint64
}

// A span is where a set is in the file, or how long it is in memory.
type span struct {
	offset int64
	n      int32
	known  bool
}

// NewStore returns a store for n sets that holds mem bytes of them.
func NewStore(n int, mem int64) *Store {
	return &Store{sets: make([][]uint64, n), spans: make([]span, n), left: mem}
}

const slabWords = 1 << 16

// Put keeps a copy of a set.
func (s *Store) Put(i uint32, set []uint64) error {
	size := int64(8 * len(set))
	s.spans[i] = span{s.end, int32(len(set)), true}
	if len(set) == 0 {
		return nil
	}
	if size <= s.left {
		s.left -= size
		s.sets[i] = s.hold(set)
		return nil
	}
	return s.write(set)
}

// hold copies a set into a slab that many share.
func (s *Store) hold(set []uint64) []uint64 {
	if len(set) > slabWords/4 {
		return append([]uint64(nil), set...)
	}
	if cap(s.slab)-len(s.slab) < len(set) {
		s.slab = make([]uint64, 0, slabWords)
	}
	n := len(s.slab)
	s.slab = append(s.slab, set...)
	return s.slab[n:len(s.slab):len(s.slab)]
}

func (s *Store) write(set []uint64) (err error) {
	if s.file == nil {
		if s.file, err = scratch.Create(); err != nil {
			return err
		}
	}
	_, err = s.file.WriteAt(bytesOf(set), s.end)
	s.end += int64(8 * len(set))
	return err
}

// Known reports whether the set was put.
func (s *Store) Known(i uint32) bool { return s.spans[i].known }

// Size returns the number of elements of a set.
func (s *Store) Size(i uint32) int { return int(s.spans[i].n) }

// Get returns a set; buf is scratch memory that the result may lie in, and
// that is returned for the next call. It may be called by several goroutines
// when all sets are put.
func (s *Store) Get(i uint32, buf []uint64) (set, _ []uint64, err error) {
	sp := s.spans[i]
	if s.sets[i] != nil || sp.n == 0 {
		return s.sets[i], buf, nil
	}
	if cap(buf) < int(sp.n) {
		buf = make([]uint64, 2*sp.n)
	}
	set = buf[:sp.n]
	_, err = s.file.ReadAt(bytesOf(set), sp.offset)
	return set, buf, err
}

// Spilled returns the number of bytes that went to disk.
func (s *Store) Spilled() int64 { return s.end }

// bytesOf returns the memory of a set; scratch files never leave the machine.
func bytesOf(set []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(&set[0])), 8*len(set))
}
