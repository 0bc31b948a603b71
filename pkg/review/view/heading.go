package view

import (
	"fmt"
	"math"
	"strconv"

	"doppel/pkg/review"
	"doppel/pkg/review/judgement"
	"doppel/pkg/wording"
)

// title says where the person is.
func (m *Model) title() string {
	s, status := m.Session, m.Session.List.Status()
	p, ok := s.Pair()
	if !ok || !m.began {
		return waiting(status, m.Near)
	}
	more := ""
	if !status.Ended {
		more = "+"
	}
	return fmt.Sprintf("pair %d of %d%s  score %s  judged %d", s.At+1, s.Len(), more, score(p.Score), len(s.Ledger.All()))
}

func waiting(status review.Status, near bool) string {
	switch {
	case status.Err != nil:
		return "no pairs: " + wording.Graphic(status.Err.Error())
	case status.Ended && status.Pairs == 0:
		return "no pairs"
	case near:
		return fmt.Sprintf("reading the pairs: %d so far", status.Pairs)
	}
	return "waiting for pairs"
}

func score(x float64) string {
	if math.IsNaN(x) {
		return "-"
	}
	return strconv.FormatFloat(x, 'f', 4, 64)
}

// names names both records, and what becomes of them.
func (m *Model) names() string {
	p, ok := m.Session.Pair()
	if !ok || !m.began {
		return ""
	}
	fateA, fateB := fates(m.Session.Ledger.Of(p))
	return m.fit(" a "+wording.Graphic(p.A)+fateA, m.columns()) + " | " + m.fit("b "+wording.Graphic(p.B)+fateB, m.columns())
}

// fates returns what a verdict makes of both records.
func fates(v judgement.Verdict) (a, b string) {
	const keep, drop = "  [keep]", "  [drop]"
	switch v {
	case judgement.KeepA:
		return keep, drop
	case judgement.KeepB:
		return drop, keep
	case judgement.Both:
		return keep, keep
	case judgement.Neither:
		return drop, drop
	}
	return "", ""
}
