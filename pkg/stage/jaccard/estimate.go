package jaccard

import (
	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/line/schemes"
	"doppel/pkg/method"
	"doppel/pkg/stage/candidates"
	"doppel/pkg/stage/lines"
	stagepairs "doppel/pkg/stage/pairs"
	"doppel/pkg/tool"
)

// estimate scores pairs by their signatures.
func estimate(e *tool.Env, o *Options, p *candidates.Pairs) error {
	s, err := readSignatures(e, o, p)
	if err != nil {
		return err
	}
	known := func(n uint32) bool { return s.bodies[n] != nil }
	if err := p.Missing(known, "signatures"); err != nil {
		return err
	}
	if err := lines.Titles(e, s.row()); err != nil {
		return err
	}
	return scorePairs(e, p, func() scorer {
		return &estimator{signatures: s, threshold: o.Threshold, format: lines.Format(e)}
	})
}

// signatures are those that some pair names, by the number of their ids.
type signatures struct {
	comparer method.Comparer // nil until there is a signature
	bodies   []method.Comparand
	others   map[uint32][]method.Comparand // of old ids that have several signatures
	ids      *ids.Table
}

func readSignatures(e *tool.Env, o *Options, p *candidates.Pairs) (*signatures, error) {
	s := &signatures{bodies: make([]method.Comparand, p.IDs.Len()), others: map[uint32][]method.Comparand{}, ids: &p.IDs}
	newWorker := func() lines.Worker[batch] { return &decoder{ids: &p.IDs, measure: o.measure()} }
	guard := new(schemes.Guard)
	if err := lines.Signatures(e, guard, o.Sigs, newWorker, s.add); err != nil || len(o.Against) == 0 {
		return s, err
	}
	return s, lines.Signatures(e, guard, o.Against, newWorker, s.addOld)
}

// measure is what signatures are asked for.
func (o *Options) measure() method.Measure {
	if o.Containment {
		return method.Containment
	}
	return method.Similarity
}

// row returns a line such as those that will be written.
func (s *signatures) row() lines.Row {
	for _, body := range s.bodies {
		if body != nil && s.comparer.Compare(body, body).Interval {
			return line.SampleScore{}
		}
	}
	return line.Score{}
}

// add adds a batch.
func (s *signatures) add(b *batch) error {
	return s.take(b, func(n uint32, _ method.Comparand) error {
		return stagepairs.TwoSignatures(s.ids.Append(nil, int(n)))
	})
}

// addOld adds a batch of old ones. Years of them may have an id twice, where files of
// different days had one name; then the signature counts that is most like.
func (s *signatures) addOld(b *batch) error {
	return s.take(b, func(n uint32, body method.Comparand) error {
		s.others[n] = append(s.others[n], body)
		return nil
	})
}

// take takes a batch, of which again is called with each whose id has a signature.
func (s *signatures) take(b *batch, again func(n uint32, body method.Comparand) error) error {
	if b.comparer != nil {
		s.comparer = b.comparer
	}
	for i, n := range b.numbers {
		if s.bodies[n] == nil {
			s.bodies[n] = b.bodies[i]
		} else if err := again(n, b.bodies[i]); err != nil {
			return err
		}
	}
	return b.refused
}

// compare returns what the signatures of a pair tell, of which a may be old.
func (s *signatures) compare(a, b uint32) method.Estimate {
	best := s.comparer.Compare(s.bodies[a], s.bodies[b])
	for _, other := range s.others[a] {
		if e := s.comparer.Compare(other, s.bodies[b]); e.Score > best.Score || e.Equal {
			best = e
		}
	}
	return best
}

// A batch is the wanted signatures of a batch of lines.
type batch struct {
	comparer method.Comparer
	refused  error // why signatures of the scheme cannot be compared
	numbers  []uint32
	bodies   []method.Comparand
}

// A decoder decodes the signatures that a pair names.
type decoder struct {
	ids      *ids.Table
	measure  method.Measure
	scheme   string // of the comparer
	comparer method.Comparer
}

// Take adds a signature.
func (d *decoder) Take(b *batch, s line.Signature) error {
	n, ok := d.ids.Lookup(s.ID)
	if !ok || b.refused != nil {
		return nil
	}
	if err := d.know(b, string(s.Scheme)); err != nil || b.refused != nil {
		return err
	}
	body, err := d.comparer.Decode(s.Body)
	if err == nil {
		b.numbers, b.bodies = append(b.numbers, n), append(b.bodies, body)
	}
	return err
}

// know makes a comparer of another scheme than the last one. That what is asked for
// cannot be told is no fault of one line, and ends the run even under -k.
func (d *decoder) know(b *batch, scheme string) error {
	if d.comparer == nil || d.scheme != scheme {
		s, err := method.Parse(scheme)
		if err != nil {
			return err
		}
		d.scheme = scheme
		d.comparer, b.refused = s.Comparer(d.measure)
	}
	b.comparer = d.comparer
	return nil
}
