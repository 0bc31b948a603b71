package corpus

import (
	"fmt"
	"iter"

	"doppel/pkg/par"
	"doppel/pkg/passage"
)

// read calls fn for each entry of a sorter, in the order of the corpus. It passes the units
// of the entry's record, and then the entry.
func read[E entry](f *Finder, src Source, s sorter[E], fn func(*passage.Units, E) error) error {
	next, err := src()
	if err != nil {
		return err
	}
	pull, stop := iter.Pull2(s.all)
	defer stop()
	e, err, more := pull()
	if err != nil {
		return err
	}
	units := passage.NewUnits(f.opt.Scheme)
	record := 0 // number of the next record
	type textBatch struct {
		batch Batch
		texts [][]byte
		err   error
	}
	worker := func() func(Batch) textBatch {
		return func(b Batch) textBatch {
			texts, err := b.Texts()
			return textBatch{b, texts, err}
		}
	}
	err = par.Ordered(f.opt.Jobs, next, worker, func(b textBatch) (err error) {
		if b.err != nil {
			return b.err
		}
		defer b.batch.Done()
		for _, text := range b.texts {
			if more && recordOf(e[0]) == record {
				units.Set(text)
			}
			for more && recordOf(e[0]) == record {
				if err := fn(units, e); err != nil {
					return fmt.Errorf("record %d: %w", record, err)
				}
				if e, err, more = pull(); err != nil {
					return err
				}
			}
			record++
		}
		return nil
	})
	if err != nil {
		return err
	}
	if more || record != int(f.stats.Records) && f.scanned {
		return passage.ErrChanged
	}
	return nil
}
