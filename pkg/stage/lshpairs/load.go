package lshpairs

import (
	"fmt"
	"sync"

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
	index  *lsh.Index        // nil until a batch has been added
	ids    ids.List          // ids of the loaded signatures
	fresh  int               // number of new records; their ids come before those of the old records
	filter *lsh.Filter       // keys of the new records; nil if there are no old records
	spares par.Spares[batch] // batches to reuse
}

// readSignatures loads signatures. If filter is not nil, it loads only the keys in the filter.
func (l *loader) readSignatures(names []string, filter *lsh.Filter) error {
	p := &phase{loader: l, scheme: l.guard.Scheme, index: l.index}
	newWorker := func() lineio.Worker[batch] {
		return &worker{keyer: method.NewAnyKeyer(l.opt.Keys.Options), phase: p, filter: filter}
	}
	return lineio.Signatures(l.e, &l.guard, names, newWorker, l.addBatch)
}

// addBatch gives the records of a batch, whose keys are in the index, their numbers.
func (l *loader) addBatch(b *batch) error {
	if b.index == nil { // no signatures, or guard will refuse those of another batch
		return nil
	}
	if l.index == nil {
		if err := option.RefuseIdle(l.e, l.guard.Scheme); err != nil {
			return err
		}
		l.index = b.index
	}
	defer l.spares.Put(b)
	id := 0
	for _, end := range b.ends {
		l.ids.Add(b.ids[id:end])
		id = end
	}
	if err := l.index.Place(b.number, b.digests, b.values); err != nil {
		return err
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
	if !method.Of(l.guard.Scheme).Equal { // otherwise, omitted pairs are no loss
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
	scheme  string   // of the signatures; "" if there are several, which guard refuses
	ids     []byte   // concatenated ids
	ends    []int    // where each id ends in the concatenation
	digests []uint64 // digest of each record; 0 for a record without keys
	keys    []lsh.Key
	last    []int      // where the keys of each record end
	index   *lsh.Index // the index that has the keys
	number  int        // of the batch in the index

	values []uint64 // value of each record, if only records with different values are paired
}

// A phase is the reading of the new signatures, or of the old ones, by several workers.
type phase struct {
	*loader
	mu     sync.Mutex
	scheme string     // of the first batch that was finished, or of an earlier phase; "" before
	index  *lsh.Index // for signatures with this scheme
}

// indexFor returns the index for signatures with a scheme. It returns nil if other signatures have
// another scheme, which guard refuses.
func (p *phase) indexFor(scheme string) *lsh.Index {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.scheme == "" {
		p.scheme = scheme
		if keyer, err := method.NewKeyer(scheme, p.opt.Keys.Options); err == nil { // a worker has made this keyer, too
			p.index = lsh.NewIndex(keyer, int64(p.e.Mem)/2, p.e.Jobs)
		}
	}
	if p.scheme != scheme {
		return nil
	}
	return p.index
}

// A worker collects the ids and the keys of signatures in batches, and inserts the keys of each batch
// into the index. It is not safe for concurrent use.
type worker struct {
	keyer    *method.AnyKeyer
	phase    *phase
	filter   *lsh.Filter // keys that are not in the filter are skipped; nil to add all keys
	inserter *lsh.Inserter
}

// Take adds the id and the keys of a signature to the batch. A signature whose keys are all skipped
// is not added.
func (w *worker) Take(b *batch, s line.Signature) (err error) {
	if b.ends == nil {
		old := w.phase.spares.Get()
		*b = batch{string(s.Scheme), old.ids[:0], old.ends[:0], old.digests[:0], old.keys[:0], old.last[:0], nil, 0, old.values[:0]}
	}
	if b.scheme != string(s.Scheme) {
		b.scheme = ""
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
	var set uint64
	if len(b.keys) > before {
		set = b.keys[before].Digest
	}
	b.ids, b.digests = append(b.ids, s.ID...), append(b.digests, set)
	b.ends, b.last = append(b.ends, len(b.ids)), append(b.last, len(b.keys))
	return nil
}

// Finish inserts the keys of a batch into the index, and those of new records into the filter of the
// old ones.
func (w *worker) Finish(b *batch) {
	if len(b.ends) == 0 || b.scheme == "" {
		return
	}
	if b.index = w.phase.indexFor(b.scheme); b.index == nil {
		return
	}
	if w.inserter == nil {
		w.inserter = b.index.Inserter()
	}
	b.number = w.inserter.Insert(b.keys, b.last)
	if w.phase.filter != nil && w.filter == nil {
		for _, k := range b.keys {
			w.phase.filter.Add(k.Bucket)
		}
	}
}
