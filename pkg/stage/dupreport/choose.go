package dupreport

import (
	"fmt"

	"doppel/pkg/report"
)

// A sideBySide is two texts that the page shows side by side, or one of which nothing is
// like.
type sideBySide struct {
	title string
	a, b  *text
}

// A reason is a cause with the texts of some of its drops.
type reason struct {
	*cause
	examples []*text
}

// choose says which texts are wanted, when all but the records is read.
func (r *session) choose() error {
	for _, n := range r.fates.largest() {
		r.groups = append(r.groups, r.group(n))
	}
	for _, p := range r.scoring.near.All {
		r.near = append(r.near, r.pair(p))
	}
	for _, d := range r.fates.sample.All {
		r.sample = append(r.sample, r.drop(d))
	}
	for _, c := range r.fates.sorted() {
		one := reason{cause: c}
		for _, d := range c.sample.All {
			one.examples = append(one.examples, r.want(d.id))
		}
		r.reasons = append(r.reasons, one)
	}
	return nil
}

// group shows the kept record of a group and the one least like it.
func (r *session) group(kept uint32) sideBySide {
	g := r.fates.groups[kept]
	a, b := r.fates.ids.Append(nil, int(kept)), r.fates.ids.Append(nil, int(g.least))
	score := ""
	if g.score <= 1 {
		score = fmt.Sprintf("; the least like it, %s, has %.4f", b, g.score)
	}
	title := fmt.Sprintf("%s records: %s is kept%s", report.Number(int64(g.dropped)+1), a, score)
	return sideBySide{title, r.want(a), r.want(b)}
}

// pair shows a scored pair, and what became of both.
func (r *session) pair(p pair) sideBySide {
	title := fmt.Sprintf("%.4f: %s (%s) and %s (%s)", p.score, p.a, r.fates.fate(p.a), p.b, r.fates.fate(p.b))
	return sideBySide{title, r.want(p.a), r.want(p.b)}
}

// drop shows a decision.
func (r *session) drop(d drop) sideBySide {
	title := fmt.Sprintf("%s: %s", d.id, d.reason)
	if v, known := d.score.Float(); known {
		title += fmt.Sprintf(", %.4f", v)
	}
	if d.kept == nil {
		return sideBySide{title, r.want(d.id), nil}
	}
	title = fmt.Sprintf("%s, for %s", title, d.kept)
	return sideBySide{title, r.want(d.kept), r.want(d.id)}
}

// want returns the text of an id. Where parts are dropped, or ids are ordinals, ids may
// be of parts.
func (r *session) want(id []byte) *text {
	return r.texts.want(id, r.fates.parts > 0 || r.fates.ordinal)
}
