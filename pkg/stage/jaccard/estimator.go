package jaccard

import (
	"doppel/pkg/jaccard"
	"doppel/pkg/line"
	"doppel/pkg/line/ids"
)

// An estimator scores pairs by what their signatures tell.
type estimator struct {
	*signatures
	threshold float64
	format    line.Format
	id        [2][]byte
}

func (s *estimator) append(dst []byte, a, b uint32) ([]byte, error) {
	got := s.compare(a, b)
	if got.Score < s.threshold {
		return dst, nil
	}
	if !got.Equal {
		got.Score = min(got.Score, almost)
	}
	got.Pair = named(&s.id, &s.ids.List, a, b)
	if got.Interval {
		return got.SampleScore.Append(dst, s.format), nil
	}
	return line.Score{Pair: got.Pair, Score: got.Score}.Append(dst, s.format), nil
}

// almost is the score of texts that are not equal, however close.
const almost = 1 - 1./jaccard.One

// named returns a pair by its ids, in memory that is used again.
func named(buf *[2][]byte, list *ids.List, a, b uint32) line.Pair {
	buf[0] = list.Append(buf[0][:0], int(a))
	buf[1] = list.Append(buf[1][:0], int(b))
	return line.Pair{A: buf[0], B: buf[1]}
}
