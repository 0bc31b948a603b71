package filegroup

import (
	"io"
	"math/bits"

	"doppel/pkg/spill"
)

const partitions = 64

// A sorter sorts offsets of entries in the store by key. All calls of add must precede the first
// call of next.
type sorter struct {
	s     *spill.Sorter[[2]uint64]
	limit uint64 // all keys are less than limit; 0 means 2^64
	part  int    // number of the next partition
	rest  [][2]uint64
	room  spill.Room[[2]uint64]
}

func newSorter(limit uint64, mem int64) *sorter {
	return &sorter{s: spill.NewSorter[[2]uint64](partitions, mem), limit: limit}
}

func (s *sorter) add(key, place uint64) error {
	part, rest := bits.Mul64(key, partitions)
	if s.limit > 0 {
		part, _ = bits.Div64(part, rest, s.limit)
	}
	return s.s.Add(int(part), [2]uint64{key, place})
}

// next returns all offsets with the next key, each paired with the key, in the order in which they
// were added. After the last key it returns io.EOF. The result is valid until the next call.
func (s *sorter) next() (places [][2]uint64, err error) {
	for len(s.rest) == 0 {
		if s.part == partitions {
			return nil, io.EOF
		}
		if s.rest, err = s.s.SortedIn(&s.room, s.part); err != nil {
			return nil, err
		}
		s.part++
	}
	n := 1
	for n < len(s.rest) && s.rest[n][0] == s.rest[0][0] {
		n++
	}
	places, s.rest = s.rest[:n], s.rest[n:]
	return places, nil
}

// regroup drops each offset that has a key of its own, moves the others to another sorter under new
// keys, and closes s. The new key of an offset is newKey(first, offset), where first is the first
// offset with the same old key.
func (s *sorter) regroup(to *sorter, newKey func(first, place uint64) uint64) error {
	for {
		places, err := s.next()
		if err == io.EOF {
			return s.s.Close()
		}
		if err != nil {
			return err
		}
		if len(places) == 1 {
			continue
		}
		for _, p := range places {
			if err := to.add(newKey(places[0][1], p[1]), p[1]); err != nil {
				return err
			}
		}
	}
}
