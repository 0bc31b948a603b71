package jaccard

import (
	"bytes"

	"doppel/pkg/digest"
	"doppel/pkg/jaccard"
	"doppel/pkg/line"
	"doppel/pkg/record"
	"doppel/pkg/stage/lines"
	"doppel/pkg/text"
	"doppel/pkg/tool"
)

// scoreInline scores pairs that carry their texts. Nothing is held but a batch of
// lines, so that it is a map over them; a text is cut up once for each pair that
// it is in, but for pairs that follow each other with the same first one.
func scoreInline(e *tool.Env, o *Options, operands []string) error {
	rd, err := lines.Open(e, operands)
	if err != nil {
		return err
	}
	if err := lines.Titles(e, line.Score{Sized: true}); err != nil {
		return err
	}
	key, err := digest.ReadKey(o.Text.Key)
	if err != nil {
		return err
	}
	newFunc := func() func([]byte, *record.Record) ([]byte, error) {
		return (&inline{shingler: text.NewKeyedShingler(o.Text.Options, key), scored: o.scored(e)}).line
	}
	return tool.MapRecords(e, rd, newFunc)
}

// An inline scores lines in one goroutine.
type inline struct {
	shingler *text.Shingler
	scored   scoreLines
	id, text []byte // of the last a
	a, b     []uint64
	hashes   []uint64
	tmp      []uint64
}

// line appends the line of a pair.
func (w *inline) line(dst []byte, rec *record.Record) ([]byte, error) {
	var p line.PairOfTexts
	if err := p.Parse(rec.Raw); err != nil {
		return dst, rec.At(err)
	}
	if w.a == nil || !bytes.Equal(p.A, w.id) || !bytes.Equal(p.TextA, w.text) {
		w.id, w.text = append(w.id[:0], p.A...), append(w.text[:0], p.TextA...)
		w.a = w.set(w.a[:0], p.TextA)
	}
	w.b = w.set(w.b[:0], p.TextB)
	need := w.scored.need(len(w.a), len(w.b))
	if need > min(len(w.a), len(w.b)) {
		return dst, nil
	}
	return w.scored.append(dst, p.Pair, len(w.a), len(w.b), jaccard.Shared(w.a, w.b, need)), nil
}

// set appends the shingle set of a text.
func (w *inline) set(dst []uint64, body []byte) (set []uint64) {
	w.hashes = w.shingler.Append(w.hashes[:0], body)
	set, w.tmp = jaccard.Set(w.hashes, w.tmp)
	return append(dst, set...)
}
