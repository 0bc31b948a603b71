package lsh

import (
	"io"
	"sync"

	"doppel/pkg/par"
	"doppel/pkg/spill"
)

// A PairSorter sorts pairs of ranks, including repeats, in bounded memory. It partitions the pairs
// by their first rank. Most pairs of a hot bucket begin with one of a few ranks, so one partition
// may contain most of the pairs. Large partitions are therefore sorted in pieces, which are merged.
type PairSorter struct {
	pairs *spill.Sorter[[1]uint64]
	n     uint64
	large int // number of pairs above which a partition is sorted in pieces
}

// pairPartitions is the number of partitions; a pair's first rank selects its partition.
const pairPartitions = 512

// A partition is large if it has more than minLarge pairs and they take more than a quarter of the
// memory. For fewer than minLarge pairs, sorting in pieces is not worth its cost.
const (
	pairSize = 8
	minLarge = 1 << 16
)

// NewPairSorter returns a sorter for pairs of ranks below n. It keeps up to mem bytes of pairs
// in memory.
func NewPairSorter(n int, mem int64) *PairSorter {
	return &PairSorter{spill.NewSorter[[1]uint64](pairPartitions, mem), uint64(n), int(max(minLarge, mem/pairSize/4))}
}

// Add adds the pair (a, b). Pairs are sorted by a, then by b.
func (s *PairSorter) Add(a, b uint32) error {
	return s.pairs.Add(s.partition(uint64(a)), [1]uint64{uint64(a)<<32 | uint64(b)})
}

// addAll is like Add, for many pairs. It passes consecutive pairs with the same first rank to the
// sorter in one call, because large buckets produce many such pairs.
func (s *PairSorter) addAll(pairs [][1]uint64) error {
	for len(pairs) > 0 {
		a, n := pairs[0][0]>>32, 1
		for n < len(pairs) && pairs[n][0]>>32 == a {
			n++
		}
		if err := s.pairs.AddAll(s.partition(a), pairs[:n]); err != nil {
			return err
		}
		pairs = pairs[n:]
	}
	return nil
}

func (s *PairSorter) partition(a uint64) int { return int(a * pairPartitions / s.n) }

// Spilled returns the number of bytes written to disk.
func (s *PairSorter) Spilled() int64 { return s.pairs.Spilled() }

// EachRun divides the sorted pairs into runs. It passes each run to a format function, in up to
// jobs goroutines, and passes the results to emit in the order of the runs. All repeats of a pair
// are in one run. A run is valid only until the format function returns. EachRun calls newFormat
// for each goroutine, so a format function needs no locks. EachRun may be called only once, because
// it closes the spill file.
func EachRun[R any](s *PairSorter, jobs int, newFormat func() func(pairs [][1]uint64) R, emit func(R) error) error {
	partition := 0
	next := func() (int, error) {
		if partition == pairPartitions {
			return 0, io.EOF
		}
		partition++
		return partition - 1, nil
	}
	merged := newFormat()
	var reading sync.RWMutex // workers hold a read lock, because after an error they may outlive par.Ordered
	closed := false
	worker := func() func(int) func() error {
		format, room := newFormat(), new(spill.Room[[1]uint64])
		return func(n int) func() error {
			reading.RLock()
			defer reading.RUnlock()
			if closed {
				return nil
			}
			if s.pairs.PartLen(n) > s.large {
				return func() error {
					return s.pairs.Merged(n, s.large, func(pairs [][1]uint64) error { return emit(merged(pairs)) })
				}
			}
			pairs, err := s.pairs.SortedIn(room, n)
			text := format(pairs)
			return func() error {
				if err != nil {
					return err
				}
				return emit(text)
			}
		}
	}
	err := par.Ordered(jobs, next, worker, func(write func() error) error { return write() })
	reading.Lock()
	defer reading.Unlock()
	closed = true
	if cerr := s.pairs.Close(); err == nil {
		err = cerr
	}
	return err
}
