package corpus

import "doppel/pkg/passage"

// Find reads the corpus again and calls emit with each repeat, in the order of the corpus. Call
// Find after Scan or Add.
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
	j := joiner{emit: emit}
	for e, err := range f.matches.all {
		if err != nil {
			return err
		}
		part := passage.Match{Pos: e[0], From: e[1], Count: int(e[2]&countMask) + 1, Copies: int(e[2] >> copiesShift)}
		// With Across, a copy stays if its record has the same value as the record of the first
		// copy.
		if f.opt.Across && f.opt.Value(recordOf(part.Pos)) == f.opt.Value(recordOf(part.From)) {
			continue
		}
		f.stats.Repeated += int64(part.Count)
		end := part.Pos + uint64(part.Count)
		if period := int(e[2] >> periodShift & countMask); period > 0 {
			part.Count = period
		}
		for ; part.Pos < end; part.Pos += uint64(part.Count) {
			if j.open.Extend(part) {
				continue
			}
			if err := j.fold(); err != nil {
				return err
			}
			j.open = part
		}
	}
	if err := j.fold(); err != nil {
		return err
	}
	return j.write()
}

// A joiner joins the matches of adjacent runs, so that repeats do not depend on where runs end.
type joiner struct {
	emit   func(passage.Repeat) error
	open   passage.Match // latest match; it has no period, and the next match may extend it
	folded passage.Match // the match before the latest one; fold may add the latest match to it as one more period
}

// fold merges j.open into j.folded, as one more period. If this is not possible, fold writes
// j.folded and replaces it with j.open.
func (j *joiner) fold() error {
	if j.folded.Fold(j.open) {
		return nil
	}
	err := j.write()
	j.folded = j.open
	return err
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

// binSize returns the initial maximum size of a bin, in bytes of text. This size leaves each
// goroutine enough memory to hold a bin and compare its texts.
func (f *Finder) binSize() int64 {
	return max(f.opt.Mem/int64(8*f.opt.Jobs), 1<<12)
}
