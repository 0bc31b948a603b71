package jaccard

import (
	"fmt"

	"doppel/pkg/jaccard"
	"doppel/pkg/line/ids"
	"doppel/pkg/record"
	"doppel/pkg/text"
	"doppel/pkg/tool"
)

// readSets puts the shingle set of every record that a pair names.
func readSets(e *tool.Env, o *Options, p *pairs, store *jaccard.Store) error {
	if e.Records.Names = o.Files; e.Records.ID == "" && !e.Records.WithFilename && !o.Files {
		e.Records.Skip = unnamed(&p.ids)
	}
	rd, err := record.NewReader(e.Input(o.Data), e.Records)
	if err != nil {
		return err
	}
	newWork := func() func(*record.Batch) sets {
		w := &setMaker{ids: &p.ids, shingler: text.NewShingler(o.Text.Options)}
		return w.batch
	}
	return tool.Batches(e, rd, newWork, func(_ *record.Batch, s sets) error {
		start := 0
		for i, n := range s.numbers {
			if store.Known(n) {
				return twoRecords(p.ids.Append(nil, int(n)))
			}
			if err := store.Put(n, s.hashes[start:s.ends[i]]); err != nil {
				return err
			}
			start = s.ends[i]
		}
		return nil
	})
}

// twoRecords returns the error of an id that two records have.
func twoRecords(id []byte) error {
	return tool.WithHint(fmt.Errorf("%q is the id of two records", id), "give all stages -H, or an --id that does not repeat")
}

// unnamed says which ordinals no pair names.
func unnamed(t *ids.Table) func(int64) bool {
	var named record.Bitmap
	for i := range t.Len() {
		if n, ok := ids.Ordinal(t.Append(nil, i)); ok {
			named.Set(n)
		}
	}
	return func(ordinal int64) bool { return !named.Has(ordinal) }
}

// sets are the shingle sets of the records of a batch that a pair names.
type sets struct {
	numbers []uint32
	ends    []int
	hashes  []uint64
}

// A setMaker makes the sets of batches in one goroutine.
type setMaker struct {
	ids         *ids.Table
	shingler    *text.Shingler
	hashes, tmp []uint64
}

func (w *setMaker) batch(b *record.Batch) (s sets) {
	for i := range b.Records {
		rec := &b.Records[i]
		if b.Skipped(rec) {
			continue
		}
		n, named := w.ids.Lookup(rec.ID)
		switch {
		case !named && rec.ID != nil:
			rec.Err = nil // who signed it has told of it already
		case named && rec.Err == nil:
			w.add(&s, n, rec.Text)
		}
	}
	return s
}

// add adds the set of a text.
func (w *setMaker) add(s *sets, n uint32, body []byte) {
	w.hashes = w.shingler.Append(w.hashes[:0], body)
	var set []uint64
	set, w.tmp = jaccard.Set(w.hashes, w.tmp)
	s.hashes = append(s.hashes, set...)
	s.numbers, s.ends = append(s.numbers, n), append(s.ends, len(s.hashes))
}
