package jaccard

import (
	"fmt"

	"doppel/pkg/ids"
	"doppel/pkg/jaccard"
	"doppel/pkg/record"
	sharing "doppel/pkg/stage/pairs"
	"doppel/pkg/text"
	"doppel/pkg/tool"
	"doppel/pkg/tsv"
)

// verify scores pairs by the shingle sets of their texts.
func verify(e *tool.Env, o *options, p *pairs) error {
	store := jaccard.NewStore(p.ids.Len(), int64(e.Mem))
	if err := readSets(e, o, p, store); err != nil {
		return err
	}
	if err := missing(p, store.Known, "records"); err != nil {
		return err
	}
	sharing.ReportSpilled(e, store.Spilled())
	return p.each(e, func() func([]byte, uint32, uint32) ([]byte, error) {
		v := &verifier{
			store: store, ids: &p.ids.List, threshold: o.threshold,
			enc: tsv.Encoder{Stream: tsv.Scored, JSON: e.JSON},
			of:  union, need: jaccard.Need,
		}
		if o.containment {
			v.of, v.need = smaller, jaccard.NeedContained
		}
		return v.score
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
		return fmt.Errorf("%d ids of the pairs are not among the %s, such as %q", n, where, p.ids.Append(nil, first))
	}
	return nil
}

// A setBatch is the shingle sets of the wanted records of a batch.
type setBatch struct {
	numbers []uint32
	ends    []int
	hashes  []uint64
}

// readSets puts the shingle set of every record that a pair names.
func readSets(e *tool.Env, o *options, p *pairs, store *jaccard.Store) error {
	if e.Records.Names = o.files; e.Records.ID == "" && !e.Records.WithFilename && !o.files {
		e.Records.Skip = unnamed(&p.ids)
	}
	rd, err := record.NewReader(record.Input{Names: o.records, Stdin: e.Stdin}, e.Records)
	if err != nil {
		return err
	}
	newWork := func() func(*record.Batch) setBatch {
		w := &setMaker{ids: &p.ids, shingler: text.NewShingler(o.text)}
		return w.batch
	}
	return tool.Batches(e, rd, newWork, func(_ *record.Batch, s setBatch) error {
		start := 0
		for i, n := range s.numbers {
			if err := store.Put(n, s.hashes[start:s.ends[i]]); err != nil {
				return err
			}
			start = s.ends[i]
		}
		return nil
	})
}

// unnamed says which ordinals no pair names.
func unnamed(t *ids.Table) func(int64) bool {
	var named record.Bitmap
	for i := range t.Len() {
		if n, ok := ids.Ordinal(t.Append(nil, i)); ok {
			named.Set(n)
		}
	}
	return func(ordinal int64) bool { return !named.Has(ordinal) }
}

// A setMaker makes the sets of batches in one goroutine.
type setMaker struct {
	ids         *ids.Table
	shingler    *text.Shingler
	hashes, tmp []uint64
}

func (w *setMaker) batch(b *record.Batch) (s setBatch) {
	for i := range b.Records {
		rec := &b.Records[i]
		if rec.Err != nil || b.Skipped(rec) {
			continue
		}
		n, ok := w.ids.Lookup(rec.ID)
		if !ok {
			continue
		}
		w.hashes = w.shingler.Append(w.hashes[:0], rec.Text)
		var set []uint64
		set, w.tmp = jaccard.Set(w.hashes, w.tmp)
		s.hashes = append(s.hashes, set...)
		s.numbers, s.ends = append(s.numbers, n), append(s.ends, len(s.hashes))
	}
	return s
}

// A verifier scores pairs in one goroutine. It keeps the set of the last a,
// since pairs come sorted.
type verifier struct {
	store      *jaccard.Store
	ids        *ids.List
	threshold  float64
	of         func(na, nb, shared int) int
	need       func(na, nb int, t float64) int
	enc        tsv.Encoder
	last       uint32
	have       bool
	a          []uint64
	bufA, bufB []uint64
	id         []byte
}

func (v *verifier) score(dst []byte, a, b uint32) (_ []byte, err error) {
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
	return v.line(dst, a, b, shared), nil
}

func (v *verifier) line(dst []byte, a, b uint32, shared int) []byte {
	na, nb := v.store.Size(a), v.store.Size(b)
	v.enc.Begin(dst)
	v.id = v.ids.Append(v.id[:0], int(a))
	v.enc.Bytes(v.id)
	v.id = v.ids.Append(v.id[:0], int(b))
	v.enc.Bytes(v.id)
	score := shown(v.of(na, nb, shared), shared)
	if shared < max(na, nb) {
		score = min(score, almost)
	}
	v.enc.Float(score)
	v.enc.Float(jaccard.Containment(na, shared))
	v.enc.Float(jaccard.Containment(nb, shared))
	v.enc.Int(int64(na))
	v.enc.Int(int64(nb))
	return v.enc.End()
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
