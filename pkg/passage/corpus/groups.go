package corpus

import (
	"io"
	"iter"
	"slices"

	"doppel/pkg/par"
	"doppel/pkg/passage"
	"doppel/pkg/record/bitset"
	"doppel/pkg/spill/radix"
)

// divide drops the runs whose keys show that they cannot hold a repeated passage, and assigns the
// other runs to bins.
func (f *Finder) divide() error {
	f.wanted = make(bitset.Set, f.stats.Records/64+1)
	f.ruler.setParts()
	f.members = newSorter[memberEntry](f.ruler.parts(), f.opt.Mem/4)
	type survivors struct { // the runs that may hold a repeated passage, for one part of the keys
		runs []runEntry
		err  error
	}
	f.records.settle()
	runs := f.runs.sorter // workers that still run after an error must not read f.runs, which Close clears
	worker := func() func(int) survivors {
		return func(part int) survivors {
			all, err := f.sortRuns(runs, part)
			kept := all[:0]
			for group := range groups(all) {
				if f.mayRepeat(group) {
					kept = append(kept, group...)
				}
			}
			if f.opt.Value == nil {
				f.records.number(kept)
			}
			return survivors{kept, err}
		}
	}
	d := divider{finder: f, budget: f.binSize()}
	err := par.Ordered(f.opt.Jobs, numbersBelow(keyParts), worker, func(s survivors) error {
		if s.err != nil {
			return s.err
		}
		for group := range groups(s.runs) {
			if err := d.place(group); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	f.stats.Bins = d.bin + 1
	f.stats.Scratch += f.runs.Spilled() + f.members.Spilled()
	return f.runs.release()
}

// sortRuns returns the runs of a part of the keys, sorted by key. The numbers of their records are
// still provisional, unless records have values. If the Finder compares only records with equal
// values, sortRuns mixes the value into the key, so that equal runs with different values have
// different keys.
func (f *Finder) sortRuns(runs sorter[runEntry], part int) ([]runEntry, error) {
	if f.opt.Value == nil {
		return runs.Sorted(part)
	}
	all, err := runs.Take(nil, part)
	f.records.number(all)
	if !f.opt.Across {
		for i := range all {
			const odd = 0x9e3779b97f4a7c15 // odd, so that different values change a key differently
			all[i][0] ^= uint64(f.opt.Value(recordOf(all[i][1]))) * odd << keyShift
		}
	}
	return radix.Sort(all, make([]runEntry, len(all)), radix.First), err
}

// mayRepeat reports whether the runs of one key can hold a repeated passage.
func (f *Finder) mayRepeat(group []runEntry) bool {
	if !f.opt.Across {
		return len(group) > 1 || group[0][0]&twiceBit != 0
	}
	first := f.opt.Value(recordOf(group[0][1]))
	return slices.ContainsFunc(group[1:], func(e runEntry) bool { return f.opt.Value(recordOf(e[1])) != first })
}

// numbersBelow returns a function that returns the numbers from 0 to n-1, then io.EOF.
func numbersBelow(n int) func() (int, error) {
	next := 0
	return func() (int, error) {
		if next == n {
			return 0, io.EOF
		}
		next++
		return next - 1, nil
	}
}

// groups yields the runs of each key as one slice. The runs must be sorted by key.
func groups(runs []runEntry) iter.Seq[[]runEntry] {
	return func(yield func([]runEntry) bool) {
		for len(runs) > 0 {
			n := 1
			for n < len(runs) && runs[n][0]>>keyShift == runs[0][0]>>keyShift {
				n++
			}
			if !yield(runs[:n]) {
				return
			}
			runs = runs[n:]
		}
	}
}

// A divider fills bins with whole groups. A group larger than a bin gets a separate bin.
type divider struct {
	finder *Finder
	budget int64 // maximum number of bytes of text in a bin of several groups
	bin    int
	group  uint64 // number of the next group in the bin
	filled int64
}

// wordSize is an estimate of the average size of a word and a space, in bytes.
const wordSize = 7

// place assigns the runs of a group to a bin and adds them to f.members.
func (d *divider) place(group []runEntry) error {
	f := d.finder
	size := int64(0) // estimated number of bytes that the group takes in a bin
	for _, e := range group {
		units := int64(e[0]&countMask) + int64(f.opt.Scheme.Length)
		if f.opt.Scheme.Unit == passage.Words {
			units *= wordSize
		}
		size += units + headSize + 2
	}
	if d.filled > 0 && d.filled+size > d.budget {
		d.bin, d.group, d.filled = d.bin+1, 0, 0
		// The budget doubles after every n bins, where n is fixed. So the first 8n bins hold 255
		// times as much text as the first n (1+2+4+...+128 = 255), and the memory for the buffers
		// of all bins stays small.
		if d.bin%max(64, int(f.opt.Mem/(8*8*leastBuffer))) == 0 {
			d.budget *= 2
		}
	}
	if d.bin == maxBins {
		return errTooMany
	}
	for _, e := range group {
		record := recordOf(e[1])
		f.wanted.Add(int64(record))
		value := uint64(d.bin)<<binShift | d.group<<keyShift | e[0]&(twiceBit|countMask)
		if err := f.members.Add(f.ruler.part(e[1]), memberEntry{e[1], value}); err != nil {
			return err
		}
	}
	f.stats.Members += int64(len(group))
	f.expected += size
	d.group++
	d.filled += size
	return nil
}
