package lshpairs

import (
	"fmt"

	"doppel/pkg/digest"
	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/line/schemes"
	"doppel/pkg/lsh"
	"doppel/pkg/method"
	"doppel/pkg/par"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/stage/option"
	"doppel/pkg/stage/pairs"
	"doppel/pkg/tool"
)

// A loader reads signatures into an index. Half of --mem is for the keys, and half for the pairs.
type loader struct {
	e      *tool.Env
	opt    *Options
	guard  schemes.Guard
	index  *lsh.Index        // nil until the scheme is known
	ids    ids.List          // ids of the loaded signatures
	fresh  int               // number of new records; their ids come before those of the old records
	filter *lsh.Filter       // keys of the new records; nil if there are no old records
	spares par.Spares[batch] // batches to reuse
}

// readSignatures loads signatures. If filter is not nil, it loads only the keys in the filter.
func (l *loader) readSignatures(names []string, filter *lsh.Filter) error {
	newWorker := func() lineio.Worker[batch] {
		return &worker{keyer: method.NewAnyKeyer(l.opt.Keys.Options), spares: l.spares, filter: filter}
	}
	return lineio.Signatures(l.e, &l.guard, names, newWorker, l.addBatch)
}

// addBatch adds a batch to the index, which it creates when the first signature is added. It adds
// the keys of new records to the filter, if there is one.
func (l *loader) addBatch(b *batch) error {
	if l.index == nil && len(b.ends) > 0 {
		if err := option.RefuseIdle(l.e, l.guard.Scheme); err != nil {
			return err
		}
		keyer, err := method.NewKeyer(l.guard.Scheme, l.opt.Keys.Options)
		if err != nil {
			return err
		}
		l.index = lsh.NewIndex(keyer, int64(l.e.Mem)/2)
	}
	defer l.spares.Put(b)
	id, key := 0, 0
	for i := range b.ends {
		l.ids.Add(b.ids[id:b.ends[i]])
		keys := b.keys[key:b.last[i]]
		var err error
		if len(b.values) > 0 {
			err = l.index.AddApart(keys, b.values[i])
		} else {
			err = l.index.Add(keys)
		}
		if err != nil {
			return err
		}
		if l.filter != nil && l.fresh == 0 {
			for _, k := range keys {
				l.filter.Add(k.Bucket)
			}
		}
		id, key = b.ends[i], b.last[i]
	}
	return l.ids.Full()
}

// writePairs finds the pairs of all loaded signatures and passes them to the function write.
// Records are ranked in the order of their ids or, if there are old records, in the order in which
// they were read, the old records before the new ones.
func (l *loader) writePairs(write func(*lsh.PairSorter, pairs.Ranks, bool) error) error {
	names := pairs.Ranks{IDs: &l.ids}
	if l.filter != nil {
		n := l.ids.Len()
		names.Order = make([]uint32, 0, n)
		for i := range n {
			names.Order = append(names.Order, uint32((i+l.fresh)%n))
		}
	} else {
		names.Order = l.ids.Order()
		if err := names.Unique(); err != nil {
			return err
		}
	}
	p := withDefaults(l.opt.Pairing, l.guard.Scheme)
	sorter := lsh.NewPairSorter(l.ids.Len(), int64(l.e.Mem)/2)
	skipped, err := l.index.Pairs(sorter, ids.Ranks(names.Order), p.Pairing, l.e.Jobs)
	if err != nil {
		return err
	}
	var example []byte
	if skipped.Pairs > 0 {
		example = names.Append(nil, skipped.Example[1])
	}
	// With the method exact, omitted pairs are no loss: a few pairs connect all equal records.
	if schemes.Method(l.guard.Scheme) != "exact" {
		pairs.ReportHot(l.e, skipped, example)
	}
	var keys []line.Common
	for _, c := range append(skipped.Common, skipped.Most...) {
		keys = append(keys, line.Common{
			Key:     []byte(lsh.FormatBucket(c.Key)),
			Records: int64(c.Records),
			Example: names.Append(nil, c.Example),
		})
	}
	if err := pairs.ReportCommon(l.e, p.List, p.Common, keys); err != nil {
		return err
	}
	pairs.ReportSpilled(l.e, l.index.Spilled()+sorter.Spilled())
	l.index = nil // so that the garbage collector can free it
	return write(sorter, names, p.Count)
}

// A batch holds the ids and the keys of a batch of signatures.
type batch struct {
	ids  []byte    // concatenated ids
	ends []int     // where each id ends in the concatenation
	keys []lsh.Key // concatenated keys of the records
	last []int     // where the keys of each record end in the concatenation

	values []uint64 // value of each record, if only records with different values are paired
}

// A worker collects the ids and the keys of signatures in batches. It is not safe for concurrent
// use.
type worker struct {
	keyer  *method.AnyKeyer
	spares par.Spares[batch]
	filter *lsh.Filter // keys that are not in the filter are skipped; nil to add all keys
}

// Take adds the id and the keys of a signature to the batch. A signature whose keys are all skipped
// is not added.
func (w *worker) Take(b *batch, s line.Signature) (err error) {
	if b.ends == nil {
		old := w.spares.Get()
		*b = batch{old.ids[:0], old.ends[:0], old.keys[:0], old.last[:0], old.values[:0]}
	}
	before := len(b.keys)
	if b.keys, err = w.keyer.Append(b.keys, s); err != nil {
		return err
	}
	if w.filter != nil {
		left := b.keys[:before]
		for _, k := range b.keys[before:] {
			if w.filter.Has(k.Bucket) {
				left = append(left, k)
			}
		}
		if b.keys = left; len(left) == before {
			return nil
		}
	}
	if w.keyer.Across() {
		value, ok := digest.ParseHex(s.Value)
		if !ok {
			return fmt.Errorf("invalid value %q of a signature: want 16 hex digits", s.Value)
		}
		b.values = append(b.values, value)
	}
	b.ids = append(b.ids, s.ID...)
	b.ends, b.last = append(b.ends, len(b.ids)), append(b.last, len(b.keys))
	return nil
}
