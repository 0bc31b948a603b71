package jaccard

import (
	"fmt"

	"doppel/pkg/sample"
	"doppel/pkg/tool"
	"doppel/pkg/tsv"
)

// estimateSamples scores pairs by their sampled sets, whose overlap estimates
// resemblance and containment with a confidence interval.
func estimateSamples(e *tool.Env, o *options, p *pairs, scheme string, bodies [][]byte) error {
	params, _, err := sample.ParseParams(scheme)
	if err != nil {
		return err
	}
	sets, digests := make([][]uint64, len(bodies)), make([]uint64, len(bodies))
	for i, body := range bodies {
		if sets[i], digests[i], err = params.Decode(nil, body); err != nil {
			return fmt.Errorf("signature of %q: %w", p.ids.Append(nil, i), err)
		}
		bodies[i] = nil
	}
	return p.each(e, func() func([]byte, uint32, uint32) ([]byte, error) {
		enc := tsv.Encoder{Stream: tsv.Sampled, JSON: e.JSON}
		return func(dst []byte, a, b uint32) ([]byte, error) {
			both := sample.Overlap{A: len(sets[a]), B: len(sets[b]), Shared: sample.Shared(sets[a], sets[b])}
			score := o.sampleScore(both)
			if score.Value < o.threshold {
				return dst, nil
			}
			value := score.Value
			if digests[a] != digests[b] {
				value = min(value, almost)
			}
			enc.Begin(dst)
			enc.Bytes(p.ids.Append(nil, int(a)))
			enc.Bytes(p.ids.Append(nil, int(b)))
			for _, x := range []float64{value, both.InA(0).Value, both.InB(0).Value} {
				enc.Float(x)
			}
			for _, n := range []int{both.A, both.B, both.Shared} {
				enc.Int(int64(n))
			}
			enc.Float(score.Low)
			enc.Float(score.High)
			return enc.End(), nil
		}
	})
}

// sampleScore is the resemblance, or the larger of the containments.
func (o *options) sampleScore(both sample.Overlap) sample.Estimate {
	switch {
	case !o.containment:
		return both.Resemblance(sample.Confidence95)
	case both.A < both.B:
		return both.InA(sample.Confidence95)
	}
	return both.InB(sample.Confidence95)
}
