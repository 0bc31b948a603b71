package corpus

import (
	"errors"
	"fmt"
	"iter"

	"doppel/pkg/par"
	"doppel/pkg/passage"
)

// A reader meets entries, in the order of the corpus, with the texts in which
// they stand.
type reader[E entry] struct {
	units  *passage.Units
	fn     func(*passage.Units, E) error
	pull   func() (E, error, bool)
	entry  E
	more   bool
	record int // of the next text
}

var errChanged = errors.New("the corpus has changed between two readings")

// read calls fn with each entry of a sorter, and the units of its record.
func read[E entry](f *Finder, src Source, s sorter[E], fn func(*passage.Units, E) error) error {
	next, err := src()
	if err != nil {
		return err
	}
	pull, stop := iter.Pull2(s.all)
	defer stop()
	r := reader[E]{units: passage.NewUnits(f.opt.Scheme), fn: fn, pull: pull}
	if err := r.advance(); err != nil {
		return err
	}
	worker := func() func(Batch) textBatch { return decode }
	if err := par.Ordered(f.opt.Jobs, next, worker, r.take); err != nil {
		return err
	}
	if r.more || r.record != int(f.stats.Records) && f.scanned {
		return errChanged
	}
	return nil
}

type textBatch struct {
	batch Batch
	texts [][]byte
	err   error
}

func decode(b Batch) (d textBatch) {
	d.batch = b
	d.texts, d.err = b.Texts()
	return d
}

func (r *reader[E]) advance() (err error) {
	r.entry, err, r.more = r.pull()
	return err
}

func (r *reader[E]) take(d textBatch) error {
	if d.err != nil {
		return d.err
	}
	defer d.batch.Done()
	for _, text := range d.texts {
		if r.here() {
			if err := r.text(text); err != nil {
				return err
			}
		}
		r.record++
	}
	return nil
}

// here reports whether the next entry is of the record that is read.
func (r *reader[E]) here() bool { return r.more && recordOf(r.entry[0]) == r.record }

func (r *reader[E]) text(text []byte) error {
	r.units.Set(text)
	for r.here() {
		if err := r.fn(r.units, r.entry); err != nil {
			return fmt.Errorf("record %d: %w", r.record, err)
		}
		if err := r.advance(); err != nil {
			return err
		}
	}
	return nil
}
