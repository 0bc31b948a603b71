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
	open   passage.Match // without a period: the next match may extend it
	folded passage.Match // before it: open may have the same evidence again
}

func (j *joiner) take(e matchEntry) error {
	m := matchOf(e)
	j.finder.stats.Repeated += int64(m.Count)
	part := m
	if m.Period > 0 {
		part.Count, part.Period = m.Period, 0
	}
	for end := m.Pos + uint64(m.Count); part.Pos < end; part.Pos += uint64(part.Count) {
		if j.open.Extend(part) {
			continue
		}
		if err := j.fold(); err != nil {
			return err
		}
		j.open = part
	}
	return nil
}

// fold makes what is open a part of what is folded.
func (j *joiner) fold() error {
	if j.folded.Fold(j.open) {
		return nil
	}
	err := j.write()
	j.folded = j.open
	return err
}

func (j *joiner) flush() error {
	if err := j.fold(); err != nil {
		return err
	}
	return j.write()
}

func (j *joiner) write() error {
	m := j.folded
	if m.Count == 0 {
		return nil
	}
	return j.emit(passage.Repeat{
		Record: recordOf(m.Pos), Start: unitOf(m.Pos), From: recordOf(m.From), FromStart: unitOf(m.From),
		Count: m.Count, Copies: m.Copies, Period: m.Period,
	})
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
