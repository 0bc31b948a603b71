package recsieve

import (
	"fmt"

	"doppel/pkg/par"
	"doppel/pkg/record"
	"doppel/pkg/sieve"
	"doppel/pkg/tool"
)

// A run decides which records are kept, and writes them.
type run struct {
	e               *tool.Env
	opt             *Options
	how             sieve.Options
	sieve           *sieve.Sieve
	closed          bool // the sieve takes no more leaders
	store           *store
	sink            *record.Sink
	keep            func(*record.Record) error // writes a record of the input
	tail            *tail                      // nil until the sieve is closed
	drops           *drops
	spares          par.Spares[batch]
	kept            int64
	dropped         int64
	pairs, compared int64 // by the sieves before this one
}

func (o *Options) newRun(e *tool.Env) (*run, error) {
	how, err := o.sieveOptions(e)
	if err != nil {
		return nil, err
	}
	store, err := newStore(e.Records, e.Jobs)
	if err != nil {
		return nil, err
	}
	r := &run{e: e, opt: o, how: how, store: store, spares: par.NewSpares[batch](e.Jobs)}
	r.how.Text = r.store.text
	r.sieve = sieve.New(r.how)
	return r, nil
}

// A batch is the records of a batch of the input, and their keys.
type batch struct {
	records []sieve.Record
	keys    []uint64
	err     error
}

// read decides all records. What it cannot decide yet is left to the tail.
func (r *run) read(operands []string) error {
	rd, err := record.NewReader(r.e.Input(operands), r.e.Records)
	if err != nil {
		return err
	}
	if r.sink, err = r.e.Sink(rd, ""); err != nil {
		return err
	}
	r.keep = r.sink.Gather
	if !r.opt.Ordinals {
		r.e.OneID(operands)
	}
	newWork := func() func(*record.Batch) *batch {
		w := r.sieve.NewWorker()
		return func(b *record.Batch) *batch { return r.look(w, b) }
	}
	return tool.HintNames(tool.Batches(r.e, rd, newWork, func(b *record.Batch, found *batch) error {
		err := r.decideBatch(b, found)
		if ferr := r.sink.Flush(); err == nil {
			err = ferr
		}
		r.spares.Put(found)
		return err
	}))
}

// look makes the keys of a batch of records, and compares them with the leaders so far.
func (r *run) look(w *sieve.Worker, b *record.Batch) *batch {
	found := r.spares.Get()
	*found = batch{records: found.records[:0], keys: found.keys[:0]}
	for i := range b.Records {
		rec := &b.Records[i]
		if rec.Err != nil || found.err != nil {
			found.records = append(found.records, sieve.Record{})
			continue
		}
		begin := len(found.keys)
		found.keys = w.Sign(found.keys, rec.Text)
		one := sieve.Record{Floor: -1, Keys: found.keys[begin:], Text: func() ([]byte, error) { return rec.Text, nil }}
		found.err = w.Look(&one, true)
		found.records = append(found.records, one)
	}
	return found
}

// decideBatch decides the records of a batch.
func (r *run) decideBatch(b *record.Batch, found *batch) error {
	for i := range b.Records {
		if b.Records[i].Err != nil {
			continue
		}
		if found.err != nil {
			return found.err
		}
		if err := r.decide(b, &b.Records[i], &found.records[i]); err != nil {
			return err
		}
	}
	return nil
}

// decide decides a record of a batch.
func (r *run) decide(b *record.Batch, rec *record.Record, one *sieve.Record) error {
	if err := r.sieve.Decide(one); err != nil {
		return err
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
		at, err := r.store.add(b, rec, parts)
		if err != nil {
			return err
		}
		r.dropped++
		return r.drops.add(at, newVerdict(r.store.leader(one.Leader), one.Score), one.Sum)
	case !drop && len(one.Keys) == 0 && !r.closed: // an empty text is no leader
		r.kept++
		return r.keep(rec)
	case !drop && !r.closed && r.sieve.HasRoom(one.Keys):
		at, err := r.store.add(b, rec, withText)
		if err != nil {
			return err
		}
		r.lead(at, one)
		r.kept++
		return r.keep(rec)
	}
	return r.wait(b, rec, one)
}

// lead makes a record that is stored the next leader.
func (r *run) lead(at int64, one *sieve.Record) {
	r.store.lead(at) // first, since Look may ask for its text from then on
	r.sieve.Insert(one.Keys)
}

// counts returns what --stats writes.
func (r *run) counts() counts {
	pairs, compared := r.sieve.Counts()
	return counts{tool.Counts{
		Kept: r.kept, Dropped: r.dropped, Unread: r.e.Unread(),
		Candidates: r.pairs + pairs, Verified: r.compared + compared,
	}}
}

// counts are the pairs of a record and a leader that shared a key, those of them that were
// compared, and what became of the records.
type counts struct{ tool.Counts }

// AppendJSON appends the counts as an object.
func (c counts) AppendJSON(dst []byte) []byte {
	records := c.Counts.AppendJSON(nil)
	return append(fmt.Appendf(dst, `{"candidates":%d,"verified":%d,`, c.Candidates, c.Verified), records[1:]...)
}
