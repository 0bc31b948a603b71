package lshpairs

import (
	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/line/schemes"
	"doppel/pkg/lsh"
	"doppel/pkg/method"
	"doppel/pkg/par"
	"doppel/pkg/stage/lines"
	"doppel/pkg/stage/option"
	"doppel/pkg/stage/pairs"
	"doppel/pkg/tool"
)

// A loader reads signatures into an index. Half of --mem is for the keys, half
// for the pairs.
type loader struct {
	e      *tool.Env
	opt    *Options
	guard  schemes.Guard
	index  *lsh.Index // nil until the scheme is known
	ids    ids.List
	fresh  int               // how many of the ids are new ones, which are loaded before the old ones
	filter *lsh.Filter       // the keys of the new ones; nil: there are no old ones
	spares par.Spares[batch] // that were added
}

// newLoader returns a loader. An eighth of --mem is for the filter.
func newLoader(e *tool.Env, o *Options) *loader {
	l := &loader{e: e, opt: o, spares: par.NewSpares[batch](e.Jobs)}
	if len(o.Against) > 0 {
		l.filter = lsh.NewFilter(int64(e.Mem) / 8)
	}
	return l
}

// loadOld loads those of the old signatures that share a key with a new one, if
// there are any.
func (l *loader) loadOld(names []string) error {
	if l.filter == nil || l.index == nil {
		return nil
	}
	l.index.Fresh()
	l.fresh = l.ids.Len()
	return l.read(names, l.filter)
}

// load loads signatures.
func (l *loader) load(names []string) error { return l.read(names, nil) }

// read loads signatures, of which only the keys count that a filter lets through.
func (l *loader) read(names []string, filter *lsh.Filter) error {
	newWorker := func() lines.Worker[batch] {
		return &worker{keyer: method.NewAnyKeyer(l.opt.Keys.Options), spares: l.spares, filter: filter}
	}
	return lines.Signatures(l.e, &l.guard, names, newWorker, l.add)
}

// add adds a batch to the index.
func (l *loader) add(b *batch) error {
	if err := l.begin(b); err != nil {
		return err
	}
	defer l.spares.Put(b)
	id, key := 0, 0
	for i := range b.ends {
		l.ids.Add(b.ids[id:b.ends[i]])
		keys := b.keys[key:b.last[i]]
		if err := l.index.Add(keys); err != nil {
			return err
		}
		l.note(keys)
		id, key = b.ends[i], b.last[i]
	}
	return l.ids.Full()
}

// note tells the filter of the keys of a new record.
func (l *loader) note(keys []lsh.Key) {
	if l.filter == nil || l.fresh > 0 {
		return
	}
	for _, k := range keys {
		l.filter.Add(k.Bucket)
	}
}

// oldFirst returns the order of the ids in which the old ones come first, as pairs
// have them, each sort in the order of reading.
func (l *loader) oldFirst() []uint32 {
	order := make([]uint32, 0, l.ids.Len())
	for i := range l.ids.Len() {
		order = append(order, uint32((i+l.fresh)%l.ids.Len()))
	}
	return order
}

// begin makes the index before the first signature.
func (l *loader) begin(b *batch) error {
	if l.index != nil || len(b.ends) == 0 {
		return nil
	}
	if err := option.RefuseIdle(l.e, l.guard.Scheme); err != nil {
		return err
	}
	keyer, err := method.NewKeyer(l.guard.Scheme, l.opt.Keys.Options)
	if err == nil {
		l.index = lsh.NewIndex(keyer, int64(l.e.Mem)/2)
	}
	return err
}

// pairs hands the pairs of all that was loaded to write. Against old records the order
// of reading is kept, so that the old one comes first; else it is that of ids.
func (l *loader) pairs(write func(*lsh.PairSorter, pairs.Ranks, bool) error) error {
	names := pairs.Ranks{IDs: &l.ids}
	if l.filter != nil {
		names.Order = l.oldFirst()
	} else {
		names.Order = l.ids.Order()
		if err := names.Unique(); err != nil {
			return err
		}
	}
	p := settled(l.opt.Pairing, l.guard.Scheme)
	sorter := lsh.NewPairSorter(l.ids.Len(), int64(l.e.Mem)/2)
	skipped, err := l.index.Pairs(sorter, ids.Ranks(names.Order), p.Pairing, l.e.Jobs)
	if err != nil {
		return err
	}
	var example []byte
	if skipped.Pairs > 0 {
		example = names.Append(nil, skipped.Example[1])
	}
	pairs.ReportHot(l.e, skipped, example)
	if err := pairs.ReportCommon(l.e, p.List, p.Common, commonKeys(append(skipped.Common, skipped.Most...), names)); err != nil {
		return err
	}
	pairs.ReportSpilled(l.e, l.index.Spilled()+sorter.Spilled())
	l.index = nil // which holds memory
	return write(sorter, names, p.Count)
}

// commonKeys returns the keys of buckets.
func commonKeys(buckets []lsh.Common, names pairs.Ranks) (keys []line.Common) {
	for _, c := range buckets {
		keys = append(keys, line.Common{
			Key:     []byte(lsh.FormatBucket(c.Key)),
			Records: int64(c.Records),
			Example: names.Append(nil, c.Example),
		})
	}
	return keys
}
