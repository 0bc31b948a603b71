package lshpairs

import (
	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/lsh"
	"doppel/pkg/method"
	"doppel/pkg/par"
	"doppel/pkg/stage/lines"
	"doppel/pkg/stage/pairs"
	"doppel/pkg/tool"
)

// A loader reads signatures into an index. Half of --mem is for the keys, half
// for the pairs.
type loader struct {
	e      *tool.Env
	opt    *Options
	guard  line.Guard
	index  *lsh.Index // nil until the scheme is known
	ids    ids.List
	olds   int
	spares par.Spares[batch] // that were added
}

// loadOld loads the old signatures, if there are any.
func (l *loader) loadOld(names []string) error {
	if len(names) == 0 {
		return nil
	}
	if err := l.load(names); err != nil {
		return err
	}
	if l.index != nil {
		l.index.Old()
	}
	l.olds = l.ids.Len()
	return nil
}

// load loads signatures.
func (l *loader) load(names []string) error {
	newWorker := func() lines.Worker[batch] {
		return &worker{method.NewAnyKeyer(l.opt.Keys.Options), l.spares}
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
		if err := l.index.Add(b.keys[key:b.last[i]]); err != nil {
			return err
		}
		id, key = b.ends[i], b.last[i]
	}
	return nil
}

// begin makes the index before the first signature.
func (l *loader) begin(b *batch) error {
	if l.index != nil || len(b.ends) == 0 {
		return nil
	}
	keyer, err := method.NewKeyer(l.guard.Scheme, l.opt.Keys.Options)
	if err == nil {
		l.index = lsh.NewIndex(keyer, int64(l.e.Mem)/2)
	}
	return err
}

// pairs writes the pairs of all that was loaded. Against old records the order
// of reading is kept, so that the old one comes first; else it is that of ids.
func (l *loader) pairs() error {
	names := pairs.Ranks{IDs: &l.ids}
	if l.olds == 0 {
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
	if err := pairs.ReportCommon(l.e, p.List, p.Common, commonKeys(skipped, names)); err != nil {
		return err
	}
	pairs.ReportSpilled(l.e, l.index.Spilled()+sorter.Spilled())
	return pairs.Write(l.e, sorter, names, pairs.Form{Format: lines.Format(l.e), Count: p.Count})
}

// commonKeys returns the keys that too many records have.
func commonKeys(s lsh.Skipped, names pairs.Ranks) (keys []line.Common) {
	for _, c := range s.Common {
		keys = append(keys, line.Common{
			Key:     []byte(lsh.FormatBucket(c.Key)),
			Records: int64(c.Records),
			Example: names.Append(nil, c.Example),
		})
	}
	return keys
}
