package corpus

import (
	"doppel/pkg/par"
	"doppel/pkg/passage"
)

// runBatch are the runs of a batch. Their records count from its first.
type runBatch struct {
	batch   Batch
	records int
	runs    []runEntry
	err     error
}

// Scan is the first pass: it finds the runs of all texts and sorts them by key.
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
		signer, _ := passage.NewSigner(f.opt.Scheme) // as above
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
		defer s.batch.Done()
		base := position(int(f.stats.Records), 0)
		for _, e := range s.runs {
			e[1] += base
			f.ruler.add(e[1])
			if err := f.runs.Add(keyPart(e), e); err != nil {
				return err
			}
		}
		f.stats.Runs += int64(len(s.runs))
		f.stats.Records += int64(s.records)
		if f.stats.Records >= 1<<posBits {
			return errTooMany
		}
		return nil
	})
}

// Precede says that the first records of the corpus, n of them, were added, and that
// Scan, which is called next, reads those behind.
func (f *Finder) Precede(n int) { f.stats.Records = int64(n) }

// Add takes a run of a record in place of Scan, as it stands in a line of
// keys. Runs may come in any order, but all of those that have a key must,
// each once: Find refuses what overlaps.
func (f *Finder) Add(record int, r passage.Run) error {
	if record < 0 || uint64(record) >= 1<<posBits || uint64(r.Start) >= 1<<posBits {
		return errTooMany
	}
	e := runEntry{r.Word(), position(record, r.Start)}
	f.ruler.add(e[1])
	f.stats.Runs++
	f.stats.Records = max(f.stats.Records, int64(record)+1)
	return f.runs.Add(keyPart(e), e)
}
