package method

import (
	"doppel/pkg/jaccard"
	"doppel/pkg/line"
	"doppel/pkg/sample"
)

// Comparer compares sets, whose overlap estimates resemblance and containment with
// a confidence interval.
func (s sampleScheme) Comparer(m Measure) (Comparer, error) { return sampleComparer{s.Params, m}, nil }

type sampleComparer struct {
	params  sample.Params
	measure Measure
}

type sampleSet struct {
	prints []uint64
	digest uint64 // of the text
}

func (c sampleComparer) Decode(body []byte) (Comparand, error) {
	prints, digest, err := c.params.Decode(nil, body)
	return &sampleSet{prints, digest}, err
}

func (c sampleComparer) Compare(a, b Comparand) Estimate {
	x, y := a.(*sampleSet), b.(*sampleSet)
	both := sample.Overlap{A: len(x.prints), B: len(y.prints), Shared: jaccard.Shared(x.prints, y.prints, 0)}
	score := c.score(both)
	return Estimate{
		SampleScore: line.SampleScore{
			Score:        score.Value,
			ContainmentA: both.InA(0).Value, ContainmentB: both.InB(0).Value,
			SizeA: int64(both.A), SizeB: int64(both.B), Shared: int64(both.Shared),
			Low: score.Low, High: score.High,
		},
		Interval: true,
		Equal:    both.Shared > 0 && x.digest == y.digest,
	}
}

// score is the resemblance, or the larger of the containments.
func (c sampleComparer) score(both sample.Overlap) sample.Estimate {
	switch {
	case c.measure == Similarity:
		return both.Resemblance(sample.Confidence95)
	case both.A < both.B:
		return both.InA(sample.Confidence95)
	}
	return both.InB(sample.Confidence95)
}
