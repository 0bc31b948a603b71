package jaccard

import (
	"doppel/pkg/jaccard"
	"doppel/pkg/line"
	"doppel/pkg/stage/lines"
	"doppel/pkg/tool"
)

// scoreLines says which pairs are written, and how.
type scoreLines struct {
	threshold float64
	of        jaccard.Measure
	format    line.Format
}

func (o *Options) scored(e *tool.Env) scoreLines {
	return scoreLines{threshold: o.Threshold, of: o.Measure(), format: lines.Format(e)}
}

// need returns how many shingles two sets of these sizes must share.
func (s scoreLines) need(na, nb int) int { return s.of.Need(na, nb, s.threshold, 0) }

// append appends the line of a pair that shares so many shingles; less than 0 are
// too few.
func (s scoreLines) append(dst []byte, p line.Pair, na, nb, shared int) []byte {
	if shared < 0 {
		return dst
	}
	l := line.Score{
		Pair: p, Score: float64(s.of.Score(na, nb, shared)) / jaccard.One, Sized: true,
		ContainmentA: jaccard.Containment(na, shared), ContainmentB: jaccard.Containment(nb, shared),
		SizeA: int64(na), SizeB: int64(nb),
	}
	return l.Append(dst, s.format)
}
