package corpus

import (
	"io"

	"doppel/pkg/par"
)

// A part of the runs, without those whose key stands alone.
type survivors struct {
	runs []runEntry
	err  error
}

// divide drops the runs whose key stands alone, and gives the others a bin.
func (f *Finder) divide() error {
	f.ruler.settle()
	f.wanted = make([]uint64, f.stats.Records>>6+1)
	f.members = newSorter[memberEntry](f.ruler.parts(), f.opt.Mem/4)
	runs := f.runs // workers that run on after an error would meet that the Finder has none
	worker := func() func(int) survivors { return func(part int) survivors { return survivorsOf(runs, part) } }
	d := divider{finder: f, budget: f.binSize()}
	if err := par.Ordered(f.opt.Jobs, numbersBelow(keyParts), worker, d.take); err != nil {
		return err
	}
	f.stats.Bins = d.bin + 1
	f.stats.Scratch += f.runs.Spilled() + f.members.Spilled()
	return f.runs.release()
}

// numbersBelow returns a function that returns the numbers from 0 up to n.
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

func survivorsOf(all sorter[runEntry], part int) survivors {
	runs, err := all.Sorted(part)
	kept := runs[:0]
	eachGroup(runs, func(group []runEntry) {
		if len(group) > 1 || group[0][0]&twiceBit != 0 {
			kept = append(kept, group...)
		}
	})
	return survivors{kept, err}
}

// eachGroup calls fn with the runs of each key.
func eachGroup(runs []runEntry, fn func([]runEntry)) {
	for len(runs) > 0 {
		n := 1
		for n < len(runs) && runs[n][0]>>keyShift == runs[0][0]>>keyShift {
			n++
		}
		fn(runs[:n])
		runs = runs[n:]
	}
}

// A divider fills bins with whole groups. One that is larger than a bin has
// one of its own.
type divider struct {
	finder *Finder
	budget int64 // bytes of text in a bin
	bin    int
	group  uint64 // in the bin
	filled int64
}

func (d *divider) take(s survivors) error {
	if s.err != nil {
		return s.err
	}
	var err error
	eachGroup(s.runs, func(group []runEntry) {
		if err == nil {
			err = d.place(group)
		}
	})
	return err
}

// place adds the runs of a group as members.
func (d *divider) place(group []runEntry) error {
	size := int64(0)
	for _, e := range group {
		size += d.finder.textSize(int(e[0]&countMask) + 1)
	}
	if d.filled > 0 && d.filled+size > d.budget {
		d.bin, d.group, d.filled = d.bin+1, 0, 0
		if d.bin%d.finder.doubleAfter() == 0 {
			d.budget *= 2
		}
	}
	if d.bin == maxBins {
		return errTooMany
	}
	for _, e := range group {
		record := recordOf(e[1])
		d.finder.wanted[record>>6] |= 1 << (record & 63)
		value := uint64(d.bin)<<binShift | d.group<<keyShift | e[0]&(twiceBit|countMask)
		if err := d.finder.members.Add(d.finder.ruler.part(e[1]), memberEntry{e[1], value}); err != nil {
			return err
		}
	}
	d.finder.stats.Members += int64(len(group))
	d.group++
	d.filled += size
	return nil
}
