package corpus

import "doppel/pkg/passage"

// Find is what follows Scan: it reads the corpus again and calls emit with
// each repeat, in the order of the corpus.
func (f *Finder) Find(src Source, emit func(passage.Repeat) error) error {
	if err := f.divide(); err != nil {
		return err
	}
	if err := f.spill(src); err != nil {
		return err
	}
	if err := f.reduce(); err != nil {
		return err
	}
	j := joiner{finder: f, emit: emit}
	if err := f.matches.inOrder(j.take); err != nil {
		return err
	}
	return j.flush()
}

// A joiner joins the matches of runs that follow each other, so that where
// runs end is not seen in repeats.
type joiner struct {
	finder *Finder
	emit   func(passage.Repeat) error
	open   passage.Repeat
}

func (j *joiner) take(e matchEntry) error {
	count := int(e[2]&countMask) + 1
	r := passage.Repeat{Record: recordOf(e[0]), From: recordOf(e[1]), Start: unitOf(e[0]), FromStart: unitOf(e[1]), Count: count, Copies: int(e[2] >> keyShift)}
	j.finder.stats.Repeated += int64(count)
	o := &j.open
	if o.Record == r.Record && o.From == r.From && o.Start+o.Count == r.Start && o.FromStart+o.Count == r.FromStart {
		o.Count += count
		o.Copies = min(o.Copies, r.Copies)
		return nil
	}
	err := j.flush()
	j.open = r
	return err
}

func (j *joiner) flush() error {
	if j.open.Count == 0 {
		return nil
	}
	return j.emit(j.open)
}

// textSize is about how many bytes the text of a run takes in a bin.
func (f *Finder) textSize(count int) int64 {
	units := int64(count - 1 + f.opt.Scheme.Length)
	if f.opt.Scheme.Unit == 'w' {
		units *= wordSize
	}
	return units + headSize + 2
}

// wordSize is a word and a space, in the mean.
const wordSize = 7

// binSize is how much text a bin holds at first, so that all goroutines have
// one and what it takes to compare it.
func (f *Finder) binSize() int64 {
	return max(f.opt.Mem/int64(8*f.opt.Jobs), 1<<12)
}

// doubleAfter is after how many bins the next ones are twice as large, so that
// the buffers of all are bounded: eight times that many hold 255 times as much.
func (f *Finder) doubleAfter() int {
	return max(64, int(f.opt.Mem/(8*8*leastBuffer)))
}
