package corpus

import (
	"doppel/pkg/par"
	"doppel/pkg/passage"
)

// A runBatch describes a batch whose runs were added to Finder.runs.
type runBatch struct {
	batch   Batch
	records int
	first   int      // provisional number of its first record
	runs    int      // number of runs
	marks   []uint64 // positions of every markEvery-th run, whose records are counted from 0 within the batch
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
	f.records.next.Store(f.stats.Records)
	worker := func() func(Batch) runBatch {
		signer, _ := passage.NewSigner(f.opt.Scheme) // the error is checked above
		in := f.runs.inserter()
		return func(b Batch) runBatch { return f.insert(in, signer, b) }
	}
	return par.Ordered(f.opt.Jobs, next, worker, func(s runBatch) error {
		if s.err != nil {
			return s.err
		}
		s.batch.Done()
		f.ruler.addAll(s.marks, position(int(f.stats.Records), 0), s.runs)
		f.records.place(s.first, int(f.stats.Records))
		f.stats.Runs += int64(s.runs)
		f.stats.Records += int64(s.records)
		if f.stats.Records >= 1<<posBits {
			return errTooMany
		}
		return nil
	})
}

// insert finds the runs of a batch and adds them to f.runs, under provisional numbers.
func (f *Finder) insert(in *inserter, signer *passage.Signer, b Batch) runBatch {
	texts, err := b.Texts()
	s := runBatch{batch: b, records: len(texts), err: err, first: f.records.take(len(texts))}
	for i, text := range texts {
		if uint64(len(text)) >= 1<<posBits {
			s.err = errTooMany
		}
		if s.err != nil {
			break
		}
		for runs := range signer.Each(text) {
			if s.err = in.add(s.first+i, runs); s.err != nil {
				break
			}
			for at := (markEvery - s.runs%markEvery) % markEvery; at < len(runs); at += markEvery {
				s.marks = append(s.marks, position(i, runs[at].Start))
			}
			s.runs += len(runs)
		}
	}
	return s
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
	f.ruler.addAll([]uint64{position(record, r.Start)}, 0, 1)
	f.stats.Runs++
	return f.runs.inserters[0].add(record, []passage.Run{r})
}
