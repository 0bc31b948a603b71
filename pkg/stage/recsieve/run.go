package recsieve

import (
	"cmp"
	"errors"
	"slices"

	"doppel/pkg/digest"
	"doppel/pkg/par"
	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	"doppel/pkg/record/write"
	"doppel/pkg/sieve"
	"doppel/pkg/tool"
)

// A run decides which records are kept, and writes them.
type run struct {
	e               *tool.Env
	opt             *Options
	how             sieve.Options
	sieve           *sieve.Sieve
	closed          bool // no more leaders are added to the sieve
	store           *store
	sink            *write.Sink
	tail            *tail         // nil if no records wait for a later table
	seen            *seen         // nil if the run uses no collection
	drops           *drops        // nil if no decisions are written
	out             record.Record // scratch memory of decideTail
	spares          par.Spares[batch]
	kept            int64
	dropped         int64
	pairs, compared int64 // numbers of candidate pairs and compared pairs in the sieves before the current one
}

// minSetBytes is the minimum size of the cache of sets, in bytes. In a smaller cache, the leaders
// of a single hot bucket evict each other.
const minSetBytes = 8 << 20

// newRun returns a run that has not yet opened its input. Two thirds of --mem are for the table of
// keys, and a sixteenth, but at least minSetBytes, is for the cache of sets.
func (o *Options) newRun(e *tool.Env) (*run, error) {
	scheme, bands, err := o.scheme()
	if err != nil {
		return nil, err
	}
	key, err := digest.ReadKey(o.Text.Key)
	if err != nil {
		return nil, err
	}
	store, err := newStore(e.Records, e.Openings, e.Jobs)
	if err != nil {
		return nil, err
	}
	how := sieve.Options{
		Scheme: scheme, Bands: bands, Key: key, Threshold: o.Keys.Threshold, Hot: o.Hot,
		Table: int64(e.Mem) * 2 / 3, Sets: max(minSetBytes, int64(e.Mem)/16), Jobs: e.Jobs, Text: store.text,
	}
	return &run{e: e, opt: o, how: how, sieve: sieve.New(how), store: store, spares: par.NewSpares[batch](e.Jobs)}, nil
}

// A batch is the result of comparing the records of an input batch with the leaders.
type batch struct {
	records    []sieve.Record
	keys       []uint64
	signatures []byte // of the records, if the run needs them
	lot        sieve.Lot
	kept       []span // the kept records
	err        error
}

// A span is a range of the indexes of records in a batch.
type span struct{ begin, end int }

// keep notes that the i-th record is kept. Records must be noted in ascending order.
func (b *batch) keep(i int) {
	if n := len(b.kept); n > 0 && b.kept[n-1].end == i {
		b.kept[n-1].end++
		return
	}
	b.kept = append(b.kept, span{i, i + 1})
}

// readInput reads the input and decides on its records, except those that it adds to the tail.
func (r *run) readInput(operands []string) error {
	rd, err := record.NewReader(r.e.Input(operands), r.e.Records)
	if err != nil {
		return err
	}
	if r.sink, err = r.e.Sink(rd, dataform.Kind{}); err != nil {
		return err
	}
	if !r.opt.Ordinals && (r.opt.Records.ID != "" || r.opt.Records.WithFilename) {
		r.e.OneID(operands)
	}
	newWork := func() func(*record.Batch) *batch {
		w := r.sieve.NewWorker()
		return func(b *record.Batch) *batch { return r.compareBatch(w, b) }
	}
	begin := func(group []*batch) {
		lots := make([]*sieve.Lot, len(group))
		for i, found := range group {
			lots[i] = &found.lot
		}
		r.sieve.Begin(lots)
	}
	end := func() error {
		err := r.store.flush() // must precede End, after which Look may read the texts of the leaders
		r.sieve.End()
		return err
	}
	return tool.HintNames(tool.SettleBatches(r.e, rd, tool.Steps[*batch]{Work: newWork, Begin: begin, Settle: r.decideBatch, End: end, Write: r.writeBatch}))
}

// writeBatch writes the kept records of a batch.
func (r *run) writeBatch(b *record.Batch, found *batch) error {
	defer r.spares.Put(found)
	for _, s := range found.kept {
		for i := s.begin; i < s.end; i++ {
			if err := r.sink.Gather(&b.Records[i]); err != nil {
				return err
			}
		}
	}
	return r.sink.Flush()
}

// compareBatch computes the keys of a batch of records and compares the records with the leaders
// found so far.
func (r *run) compareBatch(w *sieve.Worker, b *record.Batch) *batch {
	found := r.spares.Get()
	found.records, found.keys, found.kept, found.err = found.records[:0], found.keys[:0], found.kept[:0], nil
	n := r.store.signatureBytes * len(b.Records)
	found.signatures = slices.Grow(found.signatures[:0], n)[:n]
	for i := range b.Records {
		rec := &b.Records[i]
		if rec.Err != nil || found.err != nil {
			found.records = append(found.records, sieve.Record{})
			continue
		}
		begin := len(found.keys)
		found.keys = w.Sign(found.keys, rec.Text)
		if r.store.signatureBytes > 0 {
			r.sign(w, found, i, len(found.keys) > begin)
		}
		one := sieve.Record{Floor: -1, Score: -1, Keys: found.keys[begin:], Text: func() ([]byte, error) { return rec.Text, nil }}
		if !r.seen.waits() {
			found.err = w.Look(&one, true)
		}
		found.records = append(found.records, one)
	}
	if !r.seen.waits() {
		r.sieve.Fill(&found.lot, found.records)
	}
	return found
}

// sign sets the signature of the i-th record of a batch, for which w.Sign was just called. A
// record without keys has a signature of zeros.
func (r *run) sign(w *sieve.Worker, found *batch, i int, keys bool) {
	signature := r.signature(found, i)
	if clear(signature); keys {
		w.AppendSignature(signature[:0])
	}
}

// signature returns the signature of the i-th record of a batch, or an empty slice if the run needs
// none.
func (r *run) signature(found *batch, i int) []byte {
	n := r.store.signatureBytes
	return found.signatures[i*n:][:n:n]
}

func (r *run) decideBatch(b *record.Batch, found *batch) error {
	for i := range b.Records {
		if err := b.Records[i].Err; err != nil {
			if r.opt.Removed != "" && errors.Is(err, record.ErrMissing) {
				at, err := r.store.add(b, &b.Records[i], 0, nil)
				if err = cmp.Or(err, r.drops.addMissing(at)); err != nil {
					return err
				}
			}
			continue
		}
		if found.err != nil {
			return found.err
		}
		if err := r.decide(b, found, i); err != nil {
			return err
		}
	}
	return nil
}

// decide decides on the i-th record of a batch, or adds the record to the tail.
func (r *run) decide(b *record.Batch, found *batch, i int) error {
	rec, one := &b.Records[i], &found.records[i]
	if !r.seen.waits() {
		if err := r.sieve.Decide(one); err != nil {
			return err
		}
	}
	switch drop := one.Score >= 0; {
	case drop && r.drops == nil:
		r.dropped++
		return nil
	case drop && !r.closed:
		parts := part(0)
		if r.opt.Removed != "" {
			parts = withText
		}
		at, err := r.store.add(b, rec, parts, nil)
		if err != nil {
			return err
		}
		r.dropped++
		return r.drops.add(at, newVerdict(r.store.leader(one.Leader), one.Score))
	case !drop && len(one.Keys) == 0 && !r.closed: // a record with an empty text cannot be a leader
		r.kept++
		found.keep(i)
		return r.seen.keep(0, rec.ID, rec.Text, r.signature(found, i), nil)
	case !drop && !r.closed && r.sieve.HasRoom(one):
		at, err := r.store.add(b, rec, withText, nil)
		if err != nil {
			return err
		}
		r.addLeader(at, rec, one)
		r.kept++
		found.keep(i)
		return r.seen.keep(0, rec.ID, rec.Text, r.signature(found, i), one.Keys)
	}
	x, parts, signature := item{keys: one.Keys}, withText, []byte(nil) // to be added to the tail
	if one.Score >= 0 {
		x.verdict = newVerdict(r.store.leader(one.Leader), one.Score)
	} else {
		parts |= withRaw
		signature = r.signature(found, i)
		r.closed = true
	}
	var err error
	if x.at, err = r.store.add(b, rec, parts, signature); err != nil {
		return err
	}
	return r.enqueue(x)
}

// addLeader makes a record at a position in the store the next leader. If it is not yet stored, rec is
// the record.
func (r *run) addLeader(at int64, rec *record.Record, one *sieve.Record) {
	r.store.addLeader(at, rec) // must precede Insert, after which Look may read the leader's text
	r.sieve.Insert(one)
}
