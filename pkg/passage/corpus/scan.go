package corpus

import (
	"doppel/pkg/par"
	"doppel/pkg/passage"
)

// A runBatch holds the runs of a batch. In the positions of these runs, record numbers count from 0
// within the batch.
type runBatch struct {
	batch   Batch
	records int
	runs    []runEntry
	err     error
}

// Scan reads the corpus for the first time. It finds the runs of all texts and sorts them by key.
func (f *Finder) Scan(src Source) error {
	f.scanned = true
	next, err := src()
	if err != nil {
		return err
	}
	if _, err := passage.NewSigner(f.opt.Scheme); err != nil {
		return err
	}
	worker := func() func(Batch) runBatch {
		signer, _ := passage.NewSigner(f.opt.Scheme) // the error is checked above
		return func(b Batch) runBatch {
			texts, err := b.Texts()
			s := runBatch{batch: b, records: len(texts), err: err}
			for i, text := range texts {
				if uint64(len(text)) >= 1<<posBits {
					s.err = errTooMany
					break
				}
				for runs := range signer.Each(text) {
					for _, r := range runs {
						s.runs = append(s.runs, runEntry{r.Word(), position(i, r.Start)})
					}
				}
			}
			return s
		}
	}
	return par.Ordered(f.opt.Jobs, next, worker, func(s runBatch) error {
		if s.err != nil {
			return s.err
		}
		s.batch.Done() // must precede addRun, because addRun calls Value
		base := position(int(f.stats.Records), 0)
		for _, e := range s.runs {
			e[1] += base
			if err := f.addRun(e); err != nil {
				return err
			}
		}
		f.stats.Records += int64(s.records)
		if f.stats.Records >= 1<<posBits {
			return errTooMany
		}
		return nil
	})
}

// Precede declares that the caller has called Add for the runs of the first n records of the
// corpus. The Source of a later call of Scan must then start with record n, counted from 0.
func (f *Finder) Precede(n int) { f.stats.Records = int64(n) }

// Add adds a run of a record, for example from a key line. The runs of a record must come either
// from Add or from Scan. The caller may add runs in any order, but must add each run only once. Of
// the runs that share a key, the caller must add either all or none. Find returns an error for
// overlapping runs.
func (f *Finder) Add(record int, r passage.Run) error {
	if record < 0 || uint64(record) >= 1<<posBits || uint64(r.Start) >= 1<<posBits {
		return errTooMany
	}
	f.stats.Records = max(f.stats.Records, int64(record)+1)
	return f.addRun(runEntry{r.Word(), position(record, r.Start)})
}

// addRun adds a run to f.runs. If the Finder compares only records with equal values, addRun
// mixes the value into the key, so that equal runs with different values have different keys.
func (f *Finder) addRun(e runEntry) error {
	if f.opt.Value != nil && !f.opt.Across {
		const odd = 0x9e3779b97f4a7c15 // odd, so that different values change a key differently
		e[0] ^= uint64(f.opt.Value(recordOf(e[1]))) * odd << keyShift
	}
	f.ruler.add(e[1])
	f.stats.Runs++
	return f.runs.Add(keyPart(e), e)
}
