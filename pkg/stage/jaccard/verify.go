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
		return &verifier{store: store, ids: &p.IDs.List, threshold: o.Threshold, format: lines.Format(e), of: o.Measure()}
	})
}

// Texts says where the texts are.
func (o *Options) Texts() candidates.Texts {
	return candidates.Texts{Data: o.Data, Files: o.Files, Key: o.Text.Key, Options: o.Text.Options}
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
	threshold  float64
	format     line.Format
	of         jaccard.Measure
	last       uint32
	have       bool
	a          []uint64
	bufA, bufB []uint64
	id         [2][]byte
}

func (v *verifier) append(dst []byte, a, b uint32) (_ []byte, err error) {
	na, nb := v.store.Size(a), v.store.Size(b)
	need := v.of.Need(na, nb, v.threshold, 0)
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
	shared := jaccard.Shared(v.a, setB, need)
	if shared < 0 {
		return dst, nil
	}
	l := line.Score{
		Pair: named(&v.id, v.ids, a, b), Score: float64(v.of.Score(na, nb, shared)) / jaccard.One, Sized: true,
		ContainmentA: jaccard.Containment(na, shared), ContainmentB: jaccard.Containment(nb, shared),
		SizeA: int64(na), SizeB: int64(nb),
	}
	return l.Append(dst, v.format), nil
}
