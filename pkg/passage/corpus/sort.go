package corpus

import (
	"slices"

	"doppel/pkg/spill"
)

// Only this file knows how entries are sorted beyond memory.

// runEntry is a run: its key, Twice and the count less one, then its position.
type runEntry = [2]uint64

// memberEntry is a run with a repeated key: its position, then the bin, the group in it, Twice,
// and the count less one.
type memberEntry = [2]uint64

// matchEntry is a match: its position, the position of the evidence, then copies, period and
// count.
type matchEntry = [3]uint64

// locateEntry is a question, its position, number and units; or an answer, its
// number, start and end.
type locateEntry = [3]uint64

type entry interface{ [2]uint64 | [3]uint64 }

// A sorter sorts entries by their first number. Ranges of that number are its parts.
type sorter[E entry] struct{ *spill.Sorter[E] }

// newSorter returns a sorter that holds about mem bytes.
func newSorter[E entry](parts int, mem int64) sorter[E] {
	return sorter[E]{spill.NewSorter[E](parts, mem)}
}

// release closes the sorter, if there is one.
func (s *sorter[E]) release() error {
	if s.Sorter == nil {
		return nil
	}
	old := s.Sorter
	s.Sorter = nil
	return old.Close()
}

// all yields all entries, sorted, a part at a time, and last an error, if there is one.
func (s sorter[E]) all(yield func(E, error) bool) {
	var room spill.Room[E]
	for p := range s.Partitions() {
		part, err := s.SortedIn(&room, p)
		if err != nil {
			var none E
			yield(none, err)
			return
		}
		for _, e := range part {
			if !yield(e, nil) {
				return
			}
		}
	}
}

// keyParts is the number of parts for keys, which are evenly spread.
const keyBits, keyParts = 10, 1 << keyBits

func keyPart(e runEntry) int { return int(e[0] >> (64 - keyBits)) }

// A ruler divides the positions of a corpus into parts with about equal numbers of runs.
type ruler struct {
	marks []uint64 // the position of every markEvery-th run
	n     int      // runs
}

const (
	markEvery = 1 << 10
	posParts  = 256
)

// add counts the next run.
func (r *ruler) add(pos uint64) {
	if r.n%markEvery == 0 {
		r.marks = append(r.marks, pos)
	}
	r.n++
}

// settle keeps one mark for each part. Marks are sorted first, because added runs come in any
// order.
func (r *ruler) settle() {
	slices.Sort(r.marks)
	step := len(r.marks)/posParts + 1
	kept := r.marks[:0]
	for i := step; i < len(r.marks); i += step {
		kept = append(kept, r.marks[i])
	}
	r.marks = slices.Clone(kept)
}

func (r *ruler) parts() int { return len(r.marks) + 1 }

// part returns the part of a position.
func (r *ruler) part(pos uint64) int {
	i, found := slices.BinarySearch(r.marks, pos)
	if found {
		i++
	}
	return i
}
