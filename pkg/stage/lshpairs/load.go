package lshpairs

import (
	"sync"

	"doppel/pkg/ids"
	"doppel/pkg/lsh"
	"doppel/pkg/signature"
	"doppel/pkg/stages"
	"doppel/pkg/tool"
	"doppel/pkg/tsv"
)

// A loader reads signatures into an index. Half of --mem is for the keys, half
// for the pairs.
type loader struct {
	e     *tool.Env
	opt   lsh.Options
	guard signature.Guard
	index *lsh.Index // nil until the scheme is known
	ids   ids.List
	olds  int
	spare sync.Pool // of *keyed that were added
}

// A keyed is what a batch of signatures gave.
type keyed struct {
	ids  []byte // one after the other
	ends []int  // of the ids
	keys []lsh.Key
	last []int // ends of the keys of each record
}

func (l *loader) load(names []string) error {
	return stages.Signatures(l.e, &l.guard, names, func() func(*keyed, signature.Line) error {
		keyer := lsh.Cached(l.opt)
		return func(k *keyed, line signature.Line) (err error) {
			if k.ends == nil {
				l.reuse(k)
			}
			if k.keys, err = keyer.Append(k.keys, line); err == nil {
				k.ids = append(k.ids, tsv.Unescape(line.ID)...)
				k.ends, k.last = append(k.ends, len(k.ids)), append(k.last, len(k.keys))
			}
			return err
		}
	}, l.add)
}

// add adds a batch to the index.
func (l *loader) add(k *keyed) error {
	if l.index == nil && len(k.ends) > 0 {
		keyer, err := lsh.NewKeyer(l.guard.Scheme, l.opt)
		if err != nil {
			return err
		}
		l.index = lsh.NewIndex(keyer, int64(l.e.Mem)/2)
	}
	defer l.spare.Put(k)
	id, key := 0, 0
	for i := range k.ends {
		l.ids.Add(k.ids[id:k.ends[i]])
		if err := l.index.Add(k.keys[key:k.last[i]]); err != nil {
			return err
		}
		id, key = k.ends[i], k.last[i]
	}
	return nil
}

// reuse gives a new batch the memory of one that was added.
func (l *loader) reuse(k *keyed) {
	if old, ok := l.spare.Get().(*keyed); ok {
		k.ids, k.ends, k.keys, k.last = old.ids[:0], old.ends[:0], old.keys[:0], old.last[:0]
	}
}

// old makes what was loaded so far the old records.
func (l *loader) old() {
	if l.index != nil {
		l.index.Old()
	}
	l.olds = l.ids.Len()
}

// pairs writes the pairs of all that was loaded. Against old records the order
// of reading is kept, so that the old one comes first; else it is that of ids.
func (l *loader) pairs(o *options) error {
	var order []uint32
	if l.olds == 0 {
		order = l.ids.Order()
	}
	o.settle(l.guard.Scheme)
	sorter := lsh.NewPairSorter(l.ids.Len(), int64(l.e.Mem)/2)
	skipped, err := l.index.Pairs(sorter, ids.Ranks(order), o.pairing, l.e.Jobs)
	if err != nil {
		return err
	}
	stages.ReportSkipped(l.e, skipped)
	name := stages.RankName(&l.ids, order)
	if err := stages.ReportCommon(l.e, o.sharing, o.pairing.Common, commonKeys(skipped, name)); err != nil {
		return err
	}
	stages.ReportSpilled(l.e, l.index.Spilled()+sorter.Spilled())
	return stages.WritePairs(l.e, o.sharing.Stream(), sorter, name)
}
