package corpus

import (
	"errors"

	"doppel/pkg/passage"
)

// A Locator converts ranges of words to ranges of bytes. The evidence of a repeat can be in another
// record, whose text is not in memory. So Ask collects questions, and Answer reads the corpus once
// and answers all of them, in the order in which they were asked. If the units are bytes, no
// Locator is needed.
//
// A Locator needs 24 B per question and 24 B per answer, on disk if they do not fit in memory.
type Locator struct {
	finder  *Finder
	asked   sorter[locateEntry]
	answers sorter[locateEntry]
	n       int64
}

// NewLocator returns a Locator for the corpus of f. Call NewLocator after Find. If all questions
// are about evidence, the Source passed to Answer may give empty texts for records that are not
// [Finder.Wanted].
func (f *Finder) NewLocator() *Locator {
	return &Locator{finder: f, asked: newSorter[locateEntry](f.ruler.parts(), f.opt.Mem/4)}
}

// Ask adds a question for the byte range of the units [start, end) of a record. The range must not
// be empty.
func (l *Locator) Ask(record, start, end int) error {
	pos := position(record, start)
	l.n++
	return l.asked.Add(l.finder.ruler.part(pos), locateEntry{pos, uint64(l.n - 1), uint64(end - start)})
}

// Answer reads the corpus and calls fn with the byte range of each question, in the order of
// the questions.
func (l *Locator) Answer(src Source, fn func(start, end int) error) error {
	const parts = 256
	l.answers = newSorter[locateEntry](parts, l.finder.opt.Mem/4)
	err := read(l.finder, src, l.asked, func(u *passage.Units, e locateEntry) error {
		first := unitOf(e[0])
		if first+int(e[2]) > u.Len() {
			return passage.ErrChanged
		}
		start, end := u.Place(first, first+int(e[2]))
		return l.answers.Add(int(int64(e[1])*parts/l.n), locateEntry{e[1], uint64(start), uint64(end)})
	})
	if err != nil {
		return err
	}
	for e, err := range l.answers.all {
		if err != nil {
			return err
		}
		if err := fn(int(e[1]), int(e[2])); err != nil {
			return err
		}
	}
	return nil
}

// Close closes all scratch files.
func (l *Locator) Close() error { return errors.Join(l.asked.release(), l.answers.release()) }
