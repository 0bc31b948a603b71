package pairsets

import (
	"doppel/pkg/digest"
	"doppel/pkg/jaccard"
	"doppel/pkg/line"
	"doppel/pkg/line/dupid"
	"doppel/pkg/line/ids"
	"doppel/pkg/par"
	"doppel/pkg/record"
	"doppel/pkg/record/bitset"
	"doppel/pkg/text"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Texts holds the options for reading texts and for making their shingle sets.
type Texts struct {
	Data     []string       // files of records or, with Files, files that list the names of texts
	Files    bool           // each text is a file, whose id is its name
	Extracts bool           // each line of the files in Data consists of an id and a text
	Old      []string       // files of old records
	OldOpt   record.Options // how the old records are read
	Split    text.Splitting // kind of parts that the ids name; by default, ids name whole texts
	Key      string         // file with the key of the shingle hashes; "" for no key
	text.Options
}

// For each record that a pair names, Sets calls the function put with the record's id number and
// its shingle set. It passes the sets of the old records first, then the others, each in the order
// of the input. The set is valid until put returns.
func (p *Pairs) Sets(e *tool.Env, t Texts, put func(number uint32, set []uint64) error) error {
	r := &setReader{e: e, pairs: p, how: t, put: put, places: dupid.NewNumbered(p.IDs.Len()), within: e.Records.Within != ""}
	if len(t.Old) > 0 {
		if err := r.readFiles(t.Old, t.OldOpt); err != nil {
			return err
		}
	}
	e.Records.Decomposed = flags.Decomposing(t.Normalize.String(), "")
	if e.Records.Names = t.Files; e.Records.ID == "" && !e.Records.WithFilename && !t.Files && t.Split == text.Unsplit {
		var named bitset.Set // ordinals of the records that a pair names
		last := int64(0)
		for i := range p.IDs.Len() {
			if n, ok := ids.Ordinal(p.IDs.Append(nil, i)); ok {
				named.Add(n)
				last = max(last, n)
			}
		}
		if e.Reported && e.Places.Known(last+1) && int64(named.Len()) < last/sparseRatio {
			rd, err := e.Places.Reader(e.Records, named.Has)
			if err != nil {
				return err
			}
			return r.makeSets(rd)
		}
		e.Records.Skip = func(ordinal int64) bool { return !named.Has(ordinal) }
	}
	if t.Extracts {
		e.Records = record.Options{Lines: true, MaxRecord: e.Records.MaxRecord, Expect: e.Records.Expect}
	}
	return r.readFiles(t.Data, e.Records)
}

// A setReader reads records, computes the set of each, and passes the sets to the function put.
type setReader struct {
	e      *tool.Env
	pairs  *Pairs
	how    Texts
	put    func(number uint32, set []uint64) error
	places *dupid.Numbered
	within bool // records have values of --within
}

// readFiles computes the sets of the records in the named files.
func (r *setReader) readFiles(names []string, opt record.Options) error {
	rd, err := record.NewReader(r.e.Input(names), opt)
	if err != nil {
		return err
	}
	return r.makeSets(rd)
}

// makeSets computes the sets of the records that rd reads.
func (r *setReader) makeSets(rd *record.Reader) error {
	key, err := digest.ReadKey(r.how.Key)
	if err != nil {
		return err
	}
	spares := par.NewSpares[sets](r.e.Jobs)
	newWork := func() func(*record.Batch) *sets {
		w := &setMaker{
			ids: &r.pairs.IDs, shingler: text.NewSetShingler(r.how.Options, key),
			split: r.how.Split, extracts: r.how.Extracts, within: r.within, spares: spares,
		}
		return w.batch
	}
	return tool.Batches(r.e, rd, newWork, func(b *record.Batch, s *sets) error {
		defer spares.Put(s)
		start := 0
		for i, n := range s.numbers {
			err := r.places.Note(n, &b.Records[s.records[i]])
			if err != nil { // an earlier record has the same id
				err = r.e.Skip(err)
			} else {
				err = r.put(n, s.hashes[start:s.ends[i]])
			}
			if err != nil {
				return err
			}
			start = s.ends[i]
		}
		return nil
	})
}

// If pairs name fewer than one in sparseRatio records, only the named records are read, by their
// positions in the files. If pairs name one in 4 records, reading by position takes as long as
// reading all records.
const sparseRatio = 8

// sets holds the shingle sets of those records of a batch that a pair names.
type sets struct {
	numbers []uint32 // for each set, its id number
	records []uint32 // for each set, the index of its record in the batch
	ends    []int    // end of each set in hashes
	hashes  []uint64 // concatenated sets
}

// A setMaker computes the sets of the records in a batch. It is not safe for concurrent use.
type setMaker struct {
	ids         *ids.Table
	shingler    *text.Shingler
	split       text.Splitting
	id          []byte // id of a part
	hashes, tmp []uint64
	spares      par.Spares[sets]
	extracts    bool // each record is a line with an id and a text
	within      bool // with extracts: each line also has a value of --within
}

func (w *setMaker) batch(b *record.Batch) *sets {
	s := w.spares.Get()
	*s = sets{s.numbers[:0], s.records[:0], s.ends[:0], s.hashes[:0]}
	for i := range b.Records {
		rec := &b.Records[i]
		if b.Skipped(rec) {
			continue
		}
		if w.extracts {
			var t line.TextWithin
			parse := t.Text.Parse
			if w.within {
				parse = t.Parse
			}
			if err := parse(rec.Raw); err != nil {
				rec.ID, rec.Err = nil, rec.At(err)
			} else {
				rec.ID, rec.Text, rec.Value = t.ID, t.Text.Text, t.Value
			}
		}
		if w.split != text.Unsplit {
			if rec.Err != nil {
				continue
			}
			w.split.Each(rec.Text, 0, func(part []byte, start, end int) {
				w.id = ids.AppendPart(w.id[:0], rec.ID, start, end)
				if n, named := w.ids.Lookup(w.id); named {
					w.addSet(s, i, n, part, rec.Value)
				}
			})
			continue
		}
		n, named := w.ids.Lookup(rec.ID)
		switch {
		case !named && rec.ID != nil:
			rec.Err = nil // not an error here: recsign has reported it, and no pair names the record
		case named && rec.Err == nil:
			w.addSet(s, i, n, rec.Text, rec.Value)
		}
	}
	return s
}

// addSet adds the set of a text to s. The parameter record is the index of the text's record in the
// batch, and n is the id number of the text. If value is not nil, the set is salted with it, so
// that sets with different values share nothing.
func (w *setMaker) addSet(s *sets, record int, n uint32, body, value []byte) {
	if w.hashes = w.shingler.Append(w.hashes[:0], body); value != nil {
		text.Salt(w.hashes, digest.Hash{}.Sum(value).Lo)
	}
	var set []uint64
	set, w.tmp = jaccard.Set(w.hashes, w.tmp)
	s.hashes = append(s.hashes, set...)
	s.numbers, s.records, s.ends = append(s.numbers, n), append(s.records, uint32(record)), append(s.ends, len(s.hashes))
}
