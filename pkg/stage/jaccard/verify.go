package jaccard

import (
	"doppel/pkg/jaccard"
	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/stage/candidates"
	"doppel/pkg/stage/lines"
	stagepairs "doppel/pkg/stage/pairs"
	"doppel/pkg/tool"
)

// verify scores pairs by the shingle sets of their texts.
func verify(e *tool.Env, o *Options, p *candidates.Pairs) error {
	store := jaccard.NewStore(p.IDs.Len(), int64(e.Mem))
	if err := p.Sets(e, o.Texts(), store.Put); err != nil {
		return err
	}
	if err := p.Missing(store.Known, "records"); err != nil {
		return err
	}
	stagepairs.ReportSpilled(e, store.Spilled())
	if err := lines.Titles(e, line.Score{Sized: true}); err != nil {
		return err
	}
	return scorePairs(e, p, func() scorer {
		return &verifier{store: store, ids: &p.IDs.List, scored: o.scored(e)}
	})
}

// Texts says where the texts are.
func (o *Options) Texts() candidates.Texts {
	t := candidates.Texts{Data: o.Data, Files: o.Files, Old: o.Against, Split: o.Split, Key: o.Text.Key, Options: o.Text.Options}
	if len(o.Extracts) > 0 {
		t.Data, t.Extracts = o.Extracts, true
	}
	return t
}

// Measure returns what the score of two sets is.
func (o *Options) Measure() jaccard.Measure {
	if o.Containment {
		return jaccard.Containing
	}
	return jaccard.Resemblance
}

// A verifier scores pairs by their sets. It keeps the set of the last a, since pairs
// come sorted.
type verifier struct {
	store      *jaccard.Store
	ids        *ids.List
	scored     scoreLines
	last       uint32
	have       bool
	a          []uint64
	bufA, bufB []uint64
	id         [2][]byte
}

func (v *verifier) append(dst []byte, a, b uint32) (_ []byte, err error) {
	na, nb := v.store.Size(a), v.store.Size(b)
	need := v.scored.need(na, nb)
	if need > min(na, nb) {
		return dst, nil
	}
	if !v.have || a != v.last {
		if v.a, v.bufA, err = v.store.Get(a, v.bufA); err != nil {
			return dst, err
		}
		v.last, v.have = a, true
	}
	var setB []uint64
	if setB, v.bufB, err = v.store.Get(b, v.bufB); err != nil {
		return dst, err
	}
	return v.scored.append(dst, named(&v.id, v.ids, a, b), na, nb, jaccard.Shared(v.a, setB, need)), nil
}
