package corpus

import (
	"cmp"
	"os"
	"slices"
	"sync"
	"sync/atomic"

	"doppel/pkg/passage"
	"doppel/pkg/spill"
)

// A runSorter sorts runs by their words. Several goroutines can add runs at once, each with an
// inserter. The result of a Finder does not depend on the order in which they add runs: runs with
// equal words are members of one group, and members are sorted by their positions, which differ.
type runSorter struct {
	sorter[runEntry] // all runs
	inserters        []inserter
	given            atomic.Uint32 // number of calls of inserter
}

// An inserter adds runs to a runSorter. It is safe for concurrent use, but each goroutine should have
// its own, if memory allows.
type inserter struct {
	mu   sync.Mutex
	runs *spill.Sorter[runEntry] // nil after release
}

// leastInserter is the desired minimum number of bytes of memory for each inserter. If there is less
// memory, several goroutines share an inserter. Each inserter spills all parts by itself, so with
// little memory, a part would be read in tiny pieces.
const leastInserter = 1 << 22

// newRunSorter returns a runSorter that uses about mem bytes of memory, for a number of goroutines.
func newRunSorter(mem int64, jobs int) *runSorter {
	n := max(1, min(int64(jobs), mem/leastInserter))
	s := &runSorter{sorter: newSorter[runEntry](keyParts, mem/n), inserters: make([]inserter, n)}
	for i := range s.inserters {
		if s.inserters[i].runs = s.Sorter; i > 0 {
			s.inserters[i].runs = s.Beside()
		}
	}
	return s
}

// inserter returns an inserter for a goroutine.
func (s *runSorter) inserter() *inserter {
	return &s.inserters[int(s.given.Add(1)-1)%len(s.inserters)]
}

// add adds runs of a record. It returns [os.ErrClosed] after release.
func (in *inserter) add(record int, runs []passage.Run) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.runs == nil {
		return os.ErrClosed
	}
	for i := range runs {
		e := runEntry{runs[i].Word(), position(record, runs[i].Start)}
		if err := in.runs.Add(keyPart(e), e); err != nil {
			return err
		}
	}
	return nil
}

// release closes the sorter. Goroutines that still add runs get an error.
func (s *runSorter) release() error {
	for i := range s.inserters {
		in := &s.inserters[i]
		in.mu.Lock()
		defer in.mu.Unlock()
		in.runs = nil
	}
	return s.sorter.release()
}

// A numbering numbers the records of Scan. A worker must add the runs of a batch before it is known
// how many records precede the batch, so it takes provisional numbers, which are consecutive within
// the batch and belong to no other record.
type numbering struct {
	next   atomic.Int64 // the next provisional number
	shifts []shift      // one for each batch or, after settle, for several, ordered by first
}

// A shift says that provisional numbers that are at least first, and less than those of the next
// shift, differ from the numbers of the records by the same amount.
type shift struct {
	first int   // provisional number
	by    int64 // what to add to a provisional number
}

// take returns the first of n consecutive provisional numbers.
func (n *numbering) take(records int) (first int) {
	return int(n.next.Add(int64(records))) - records
}

// place says that the records of a batch, which have the provisional numbers from first on, are
// numbered from number on.
func (n *numbering) place(first, number int) {
	n.shifts = append(n.shifts, shift{first, int64(number) - int64(first)})
}

// settle orders the shifts, and joins those that are equal. It must be called before number.
func (n *numbering) settle() {
	slices.SortFunc(n.shifts, func(a, b shift) int { return cmp.Compare(a.first, b.first) })
	n.shifts = slices.CompactFunc(n.shifts, func(a, b shift) bool { return a.by == b.by })
}

// number replaces the provisional numbers in the positions of runs by the numbers of the records.
// Records that precede those of Scan keep their numbers.
func (n *numbering) number(runs []runEntry) {
	for i := range runs {
		at, found := slices.BinarySearchFunc(n.shifts, recordOf(runs[i][1]), func(s shift, record int) int { return cmp.Compare(s.first, record) })
		if !found {
			at--
		}
		if at >= 0 {
			runs[i][1] += uint64(n.shifts[at].by) << posBits
		}
	}
}
