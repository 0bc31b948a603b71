package jaccard

import "doppel/pkg/spill"

// A Store stores numbered sets, in memory up to a limit and in a spill file beyond it.
type Store struct {
	sets  [][]uint64 // nil if the set is spilled, empty or missing
	spans []span
	left  int64 // remaining memory in bytes
	spool spill.Spool[uint64]
	slabs spill.Slabs
}

// A span is the position and the length of a set in the spool.
type span struct {
	first int64
	n     int32
	known bool
}

// NewStore returns a store for n sets that keeps at most mem bytes of them in memory.
func NewStore(n int, mem int64) *Store {
	return &Store{sets: make([][]uint64, n), spans: make([]span, n), left: mem}
}

// Put stores a copy of a set under the number i.
func (s *Store) Put(i uint32, set []uint64) error {
	s.spans[i] = span{s.spool.Len(), int32(len(set)), true}
	if size := int64(8 * len(set)); size <= s.left {
		s.left -= size
		s.sets[i] = s.slabs.Hold(set)
		return nil
	}
	return s.spool.Add(set...)
}

// Known reports whether set i was stored.
func (s *Store) Known(i uint32) bool { return s.spans[i].known }

// Size returns the number of elements of set i.
func (s *Store) Size(i uint32) int { return int(s.spans[i].n) }

// Get returns set i, which may be stored in buf. It also returns buf, enlarged if necessary, for
// use in the next call. Several goroutines may call Get once all sets are stored.
func (s *Store) Get(i uint32, buf []uint64) (set, _ []uint64, err error) {
	sp := s.spans[i]
	if s.sets[i] != nil || sp.n == 0 {
		return s.sets[i], buf, nil
	}
	if cap(buf) < int(sp.n) {
		buf = make([]uint64, 2*sp.n)
	}
	set = buf[:sp.n]
	return set, buf, s.spool.ReadAt(set, sp.first)
}

// Spilled returns the number of bytes written to disk.
func (s *Store) Spilled() int64 { return 8 * s.spool.Len() }
