package jaccard

import (
	"fmt"

	"doppel/pkg/jaccard"
	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/stage/lines"
	stagepairs "doppel/pkg/stage/pairs"
	"doppel/pkg/tool"
)

// verify scores pairs by the shingle sets of their texts.
func verify(e *tool.Env, o *Options, p *pairs) error {
	store := jaccard.NewStore(p.ids.Len(), int64(e.Mem))
	if err := readSets(e, o, p, store); err != nil {
		return err
	}
	if err := missing(p, store.Known, "records"); err != nil {
		return err
	}
	stagepairs.ReportSpilled(e, store.Spilled())
	of, need := union, jaccard.Need
	if o.Containment {
		of, need = smaller, jaccard.NeedContained
	}
	return p.score(e, func() scorer {
		return &verifier{store: store, ids: &p.ids.List, threshold: o.Threshold, format: lines.Format(e), of: of, need: need}
	})
}

// missing returns an error if some id of the pairs was not met.
func missing(p *pairs, known func(uint32) bool, where string) error {
	n, first := 0, -1
	for i := range p.ids.Len() {
		if !known(uint32(i)) {
			if n++; first < 0 {
				first = i
			}
		}
	}
	if n > 0 {
		return fmt.Errorf("%s of the pairs %s not among the %s, such as %q", tool.Number(n, "id"), tool.Are(n), where, p.ids.Append(nil, first))
	}
	return nil
}

// A verifier scores pairs by their sets. It keeps the set of the last a, since pairs
// come sorted.
type verifier struct {
	store      *jaccard.Store
	ids        *ids.List
	threshold  float64
	format     line.Format
	of         func(na, nb, shared int) int
	need       func(na, nb int, t float64) int
	last       uint32
	have       bool
	a          []uint64
	bufA, bufB []uint64
	id         [2][]byte
}

func (v *verifier) append(dst []byte, a, b uint32) (_ []byte, err error) {
	na, nb := v.store.Size(a), v.store.Size(b)
	need := v.need(na, nb, v.threshold)
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
		Pair: named(&v.id, v.ids, a, b), Score: v.score(na, nb, shared), Sized: true,
		ContainmentA: jaccard.Containment(na, shared), ContainmentB: jaccard.Containment(nb, shared),
		SizeA: int64(na), SizeB: int64(nb),
	}
	return l.Append(dst, v.format), nil
}

// score is what is written: a score of 1 is left to sets that are equal.
func (v *verifier) score(na, nb, shared int) float64 {
	score := shown(v.of(na, nb, shared), shared)
	if shared < max(na, nb) {
		score = min(score, almost)
	}
	return score
}

// union and smaller are what a score is a share of.
func union(na, nb, shared int) int   { return na + nb - shared }
func smaller(na, nb, shared int) int { return min(na, nb) }

// almost is the score of a text that is all in another one, but not equal.
const almost = 0.9999

// shown returns the share of n as it is written: cut to four decimals, never
// rounded up, so that a score that reaches a threshold is one that does, and
// a similarity of 1.0000 stands for equal sets and for nothing else, however
// close.
func shown(n, shared int) float64 {
	const unit = 10000
	if n == 0 {
		return 0
	}
	return float64(shared*unit/n) / unit
}
