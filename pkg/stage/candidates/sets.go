package candidates

import (
	"doppel/pkg/digest"
	"doppel/pkg/jaccard"
	"doppel/pkg/line/ids"
	"doppel/pkg/par"
	"doppel/pkg/places"
	"doppel/pkg/record"
	"doppel/pkg/text"
	"doppel/pkg/tool"
)

// Texts say where the texts of the ids are, and what their sets are.
type Texts struct {
	Data  []string // files of records, or under Files lists of the names of texts
	Files bool
	Key   string // the file of the key of the shingles, if they have one
	text.Options
}

// Sets hands put the shingle set of every record that a pair names, with the number
// of its id, in the order of the records. The set is good until put returns.
func (p *Pairs) Sets(e *tool.Env, t Texts, put func(number uint32, set []uint64) error) error {
	if e.Records.Names = t.Files; e.Records.ID == "" && !e.Records.WithFilename && !t.Files {
		e.Records.Skip = unnamed(&p.IDs)
	}
	rd, err := record.NewReader(e.Input(t.Data), e.Records)
	if err != nil {
		return err
	}
	key, err := digest.ReadKey(t.Key)
	if err != nil {
		return err
	}
	spares := par.NewSpares[sets](e.Jobs)
	newWork := func() func(*record.Batch) *sets {
		w := &setMaker{ids: &p.IDs, shingler: text.NewKeyedShingler(t.Options, key), spares: spares}
		return w.batch
	}
	var files places.Files
	first := make([]places.Place, p.IDs.Len())
	return tool.Batches(e, rd, newWork, func(b *record.Batch, s *sets) error {
		defer spares.Put(s)
		return s.each(func(i, n uint32, set []uint64) error {
			rec := &b.Records[i]
			if at := first[n]; at != 0 {
				return e.Skip(files.Clash(rec, at))
			}
			first[n] = files.Of(rec)
			return put(n, set)
		})
	})
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

// Sets are the shingle sets of the records of a batch that a pair names.
type sets struct {
	numbers []uint32
	records []uint32 // where in the batch
	ends    []int
	hashes  []uint64
}

func (s *sets) each(put func(record, number uint32, set []uint64) error) error {
	start := 0
	for i, n := range s.numbers {
		if err := put(s.records[i], n, s.hashes[start:s.ends[i]]); err != nil {
			return err
		}
		start = s.ends[i]
	}
	return nil
}

// A setMaker makes the sets of batches in one goroutine.
type setMaker struct {
	ids         *ids.Table
	shingler    *text.Shingler
	hashes, tmp []uint64
	spares      par.Spares[sets]
}

func (w *setMaker) batch(b *record.Batch) *sets {
	s := w.spares.Get()
	*s = sets{s.numbers[:0], s.records[:0], s.ends[:0], s.hashes[:0]}
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
			s.records = append(s.records, uint32(i))
			w.add(s, n, rec.Text)
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
