package corpus

import (
	"slices"

	"doppel/pkg/spill"
)

// Only this file and insert.go depend on how package spill sorts entries.

// A runEntry encodes a run as two words. The first is Run.Word, which holds the key, Twice and the
// count minus one. The second is the position.
type runEntry = [2]uint64

// A memberEntry encodes a member as two words. The first is the position. The second holds the bin,
// the group in the bin, Twice and the count minus one.
type memberEntry = [2]uint64

// A matchEntry encodes a match as three words. The first is the position, and the second is the
// position of the evidence. The third holds the number of copies, the period and the count minus
// one.
type matchEntry = [3]uint64

// A locateEntry encodes a question or an answer of a Locator. A question consists of the position
// of the first unit of the range, the number of the question, and the number of units. An answer
// consists of the number of the question, and the start and the end of the byte range.
type locateEntry = [3]uint64

type entry interface{ [2]uint64 | [3]uint64 }

// A sorter sorts entries by their first word. It has several parts, each for one range of values of
// the first word.
type sorter[E entry] struct{ *spill.Sorter[E] }

// newSorter returns a sorter that uses about mem bytes of memory.
func newSorter[E entry](parts int, mem int64) sorter[E] {
	return sorter[E]{spill.NewSorter[E](parts, mem)}
}

// release closes the sorter. It does nothing if the sorter was never opened or is already closed.
func (s *sorter[E]) release() error {
	if s.Sorter == nil {
		return nil
	}
	old := s.Sorter
	s.Sorter = nil
	return old.Close()
}

// all yields all entries in order. It sorts one part at a time. If reading a part fails, it yields
// the error and stops.
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

// The sorter of the runs has keyParts parts; the high keyBits bits of a key select the part. The
// keys are evenly distributed over the parts.
const keyBits, keyParts = 10, 1 << keyBits

func keyPart(e runEntry) int { return int(e[0] >> (64 - keyBits)) }

// A ruler divides the positions of a corpus into parts with about equal numbers of runs.
type ruler struct {
	marks []uint64 // the position of about every markEvery-th run
	n     int      // number of runs
	next  int      // the number of the next run, from 0, at which marks may get a position
}

const (
	markEvery = 1 << 10
	posParts  = 256
)

// addAll counts n runs, of which marks holds the position of every markEvery-th one, beginning with
// the first. base is added to these positions.
func (r *ruler) addAll(marks []uint64, base uint64, n int) {
	for i, m := range marks {
		if run := r.n + i*markEvery; run >= r.next {
			r.marks = append(r.marks, base+m)
			r.next = run + markEvery
		}
	}
	r.n += n
}

// setParts keeps only the marks at which parts begin. It first sorts the marks, because Finder.Add
// accepts runs in any order.
func (r *ruler) setParts() {
	slices.Sort(r.marks)
	step := len(r.marks)/posParts + 1
	kept := r.marks[:0]
	for i := step; i < len(r.marks); i += step {
		kept = append(kept, r.marks[i])
	}
	r.marks = slices.Clone(kept)
}

func (r *ruler) parts() int { return len(r.marks) + 1 }

// part returns the number of the part that holds a position.
func (r *ruler) part(pos uint64) int {
	i, found := slices.BinarySearch(r.marks, pos)
	if found {
		i++
	}
	return i
}
