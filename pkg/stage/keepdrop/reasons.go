package keepdrop

import (
	"math"

	"doppel/pkg/line"
	"doppel/pkg/line/cell"
	"doppel/pkg/line/ids"
)

// reasons say why records are dropped, by number of their ids. There are few
// different scores and reasons, so each is held once.
type reasons struct {
	words ids.Table
	of    []reason
}

// A reason is that of one record: numbers of words, 0 for none.
type reason struct {
	text  uint32
	score uint32 // of the two records; of a rule there is none
}

// add notes a decision. Nil reasons note nothing.
func (r *reasons) add(n uint32, d *line.Decision) {
	if r == nil {
		return
	}
	if r.words.Len() == 0 {
		r.words.Intern(nil) // number 0
	}
	for int(n) >= len(r.of) {
		r.of = append(r.of, reason{})
	}
	y := reason{text: r.words.Intern(d.Reason())}
	if d.Kept != nil {
		y.score = r.words.Intern(finite(d.Score))
	}
	r.of[n] = y
}

// finite returns a number as JSON has it, or nothing.
func finite(x cell.Number) []byte {
	if v, ok := x.Float(); !ok || math.IsInf(v, 0) {
		return nil
	}
	return x.Append(nil)
}

// word returns a word, nil for none.
func (r *reasons) word(n uint32) []byte {
	if n == 0 {
		return nil
	}
	return r.words.Append(nil, int(n))
}

// get returns why a record is dropped, and the score of the two, if it was one;
// both nil for none.
func (r *reasons) get(n uint32) (text, score []byte) {
	if r == nil || int(n) >= len(r.of) {
		return nil, nil
	}
	return r.word(r.of[n].text), r.word(r.of[n].score)
}
