package lshpairs

import (
	"doppel/pkg/line"
	"doppel/pkg/lsh"
	"doppel/pkg/method"
	"doppel/pkg/par"
)

// A batch is the ids and the keys of a batch of signatures.
type batch struct {
	ids  []byte // one after the other
	ends []int  // of the ids
	keys []lsh.Key
	last []int // ends of the keys of each record
}

// A worker makes batches.
type worker struct {
	keyer  *method.AnyKeyer
	spares par.Spares[batch]
	filter *lsh.Filter // of an old signature only the keys that it lets through count; nil: all do
}

// Take adds the keys of a signature.
func (w *worker) Take(b *batch, s line.Signature) (err error) {
	if b.ends == nil {
		b.reuse(w.spares.Get())
	}
	before := len(b.keys)
	if b.keys, err = w.keyer.Append(b.keys, s); err != nil {
		return err
	}
	if w.filter != nil {
		b.keys = w.shared(b.keys, before)
		if len(b.keys) == before {
			return nil
		}
	}
	b.ids = append(b.ids, s.ID...)
	b.ends, b.last = append(b.ends, len(b.ids)), append(b.last, len(b.keys))
	return nil
}

// shared leaves those of the keys from one on that may be those of a new record.
func (w *worker) shared(keys []lsh.Key, from int) []lsh.Key {
	left := keys[:from]
	for _, k := range keys[from:] {
		if w.filter.Has(k.Bucket) {
			left = append(left, k)
		}
	}
	return left
}

// reuse gives a new batch the memory of an old one.
func (b *batch) reuse(old *batch) {
	*b = batch{old.ids[:0], old.ends[:0], old.keys[:0], old.last[:0]}
}
