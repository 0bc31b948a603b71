package jaccard

import (
	"doppel/pkg/jaccard"
	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/line/schemes"
	"doppel/pkg/method"
	"doppel/pkg/stage/lineio"
	stagepairs "doppel/pkg/stage/pairs"
	"doppel/pkg/stage/pairsets"
	"doppel/pkg/tool"
)

// estimate writes the scores of the pairs, estimated from signatures.
func estimate(e *tool.Env, o *Options, p *pairsets.Pairs) error {
	s := &signatures{bodies: make([]method.Comparand, p.IDs.Len()), others: map[uint32][]method.Comparand{}, ids: &p.IDs}
	measure := method.Similarity
	if o.Containment {
		measure = method.Containment
	}
	newWorker := func() lineio.Worker[batch] { return &decoder{ids: &p.IDs, measure: measure} }
	guard := new(schemes.Guard)
	if err := lineio.Signatures(e, guard, o.Sigs, newWorker, func(b *batch) error { return s.addBatch(b, false) }); err != nil {
		return err
	}
	if len(o.Against) > 0 {
		if guard.Scheme != "" { // there are new signatures
			guard.Scheme = o.Old.Scheme(guard.Scheme)
		}
		if err := lineio.Signatures(e, guard, o.Against, newWorker, func(b *batch) error { return s.addBatch(b, true) }); err != nil {
			return err
		}
	}
	known := func(n uint32) bool { return s.bodies[n] != nil }
	if err := p.Missing(known, "signatures"); err != nil {
		return err
	}
	row := lineio.Row(line.Score{})
	for _, body := range s.bodies {
		if body != nil && s.comparer.Compare(body, body).Interval {
			row = line.SampleScore{}
			break
		}
	}
	if err := lineio.Titles(e, row); err != nil {
		return err
	}
	return scorePairs(e, p, func() scorer {
		format := lineio.Format(e)
		var id [2][]byte
		return func(dst []byte, a, b uint32) ([]byte, error) {
			got := s.compare(a, b)
			if got.Score < o.Threshold {
				return dst, nil
			}
			if !got.Equal {
				got.Score = float64(jaccard.RoundEstimate(got.Score)) / jaccard.One
			}
			got.Pair = namedPair(&id, &p.IDs.List, a, b)
			if got.Interval {
				return got.SampleScore.Append(dst, format), nil
			}
			return line.Score{Pair: got.Pair, Score: got.Score}.Append(dst, format), nil
		}
	})
}

// signatures holds the signatures that the pairs name, by id number.
type signatures struct {
	comparer method.Comparer // nil before the first signature
	bodies   []method.Comparand
	others   map[uint32][]method.Comparand // by id number: further signatures of old records, if several have the same id
	ids      *ids.Table
}

// addBatch adds the signatures in a batch. The id of an old record may repeat, for example because
// files of different days had the same name; the method compare then uses the most similar
// signature. Other duplicate ids are errors.
func (s *signatures) addBatch(b *batch, old bool) error {
	if b.comparer != nil {
		s.comparer = b.comparer
	}
	for i, n := range b.numbers {
		switch {
		case s.bodies[n] == nil:
			s.bodies[n] = b.bodies[i]
		case old:
			s.others[n] = append(s.others[n], b.bodies[i])
		default:
			return stagepairs.TwoSignatures(s.ids.Append(nil, int(n)))
		}
	}
	return b.refused
}

// compare returns the estimate for a pair. If a is old and has several signatures, compare returns
// the highest estimate.
func (s *signatures) compare(a, b uint32) method.Estimate {
	best := s.comparer.Compare(s.bodies[a], s.bodies[b])
	for _, other := range s.others[a] {
		if e := s.comparer.Compare(other, s.bodies[b]); e.Score > best.Score || e.Equal {
			best = e
		}
	}
	return best
}

// A batch holds the signatures in a batch of lines, except those of records in no pair.
type batch struct {
	comparer method.Comparer
	refused  error              // the error if signatures of the scheme cannot be compared; otherwise nil
	numbers  []uint32           // id numbers of the signatures
	bodies   []method.Comparand // decoded signatures
}

// A decoder decodes the signatures of the records in the pairs.
type decoder struct {
	ids      *ids.Table
	measure  method.Measure
	scheme   string // scheme of the comparer
	comparer method.Comparer
}

// Take decodes a signature and adds it to the batch, if its record is in a pair. If the measure
// cannot be estimated from signatures of the scheme, Take sets b.refused instead of returning an
// error, because this error concerns all lines and must end the run even with -k.
func (d *decoder) Take(b *batch, s line.Signature) error {
	n, ok := d.ids.Lookup(s.ID)
	if !ok || b.refused != nil {
		return nil
	}
	if d.comparer == nil || d.scheme != string(s.Scheme) {
		scheme, err := method.Parse(string(s.Scheme))
		if err != nil {
			return err
		}
		d.scheme = string(s.Scheme)
		d.comparer, b.refused = scheme.Comparer(d.measure)
	}
	if b.comparer = d.comparer; b.refused != nil {
		return nil
	}
	body, err := d.comparer.Decode(s.Body)
	if err == nil {
		b.numbers, b.bodies = append(b.numbers, n), append(b.bodies, body)
	}
	return err
}
