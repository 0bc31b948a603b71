package lsh

import (
	"io"

	"doppel/pkg/par"
	"doppel/pkg/spill"
)

// A PairSorter sorts pairs of ranks, repeats included, in bounded memory.
type PairSorter struct {
	pairs *spill.Sorter[[1]uint64]
	n     uint64
}

// pairPartitions is into how many parts the first ranks are cut.
const pairPartitions = 512

// NewPairSorter returns a sorter for pairs of ranks below n.
func NewPairSorter(n int, mem int64) *PairSorter {
	return &PairSorter{spill.NewSorter[[1]uint64](pairPartitions, mem), uint64(n)}
}

// Add adds a pair.
func (s *PairSorter) Add(a, b uint32) error {
	return s.pairs.Add(int(uint64(a)*pairPartitions/s.n), [1]uint64{uint64(a)<<32 | uint64(b)})
}

func (s *PairSorter) add(pairs [][1]uint64) error {
	for _, p := range pairs {
		if err := s.Add(uint32(p[0]>>32), uint32(p[0])); err != nil {
			return err
		}
	}
	return nil
}

// Spilled returns the number of bytes that went to disk.
func (s *PairSorter) Spilled() int64 { return s.pairs.Spilled() }

// Each hands all pairs to format in order, in runs, from several goroutines,
// and what it returns to emit, in order. NewFormat is called once a goroutine.
func (s *PairSorter) Each(jobs int, newFormat func() func(pairs [][1]uint64) []byte, emit func([]byte) error) error {
	partition := 0
	next := func() (int, error) {
		if partition == pairPartitions {
			return 0, io.EOF
		}
		partition++
		return partition - 1, nil
	}
	type formatted struct {
		text []byte
		err  error
	}
	worker := func() func(int) formatted {
		format, room := newFormat(), new(spill.Room[[1]uint64])
		return func(n int) formatted {
			pairs, err := s.pairs.SortedIn(room, n)
			return formatted{format(pairs), err}
		}
	}
	err := par.Ordered(jobs, next, worker, func(f formatted) error {
		if f.err != nil {
			return f.err
		}
		return emit(f.text)
	})
	if cerr := s.pairs.Close(); err == nil {
		err = cerr
	}
	return err
}
