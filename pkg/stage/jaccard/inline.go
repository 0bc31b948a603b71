package jaccard

import (
	"bytes"

	"doppel/pkg/digest"
	"doppel/pkg/jaccard"
	"doppel/pkg/line"
	"doppel/pkg/record"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/text"
	"doppel/pkg/tool"
)

// scoreInline scores pairs in lines that include the texts. It scores each line independently, so
// only a few batches of lines are in memory. It recomputes the shingle sets for each pair, except
// the first set if the previous pair has the same first text.
func scoreInline(e *tool.Env, o *Options, operands []string) error {
	rd, err := lineio.Open(e, operands)
	if err != nil {
		return err
	}
	if err := lineio.Titles(e, line.Score{Sized: true, Apart: o.Apart}); err != nil {
		return err
	}
	key, err := digest.ReadKey(o.Text.Key)
	if err != nil {
		return err
	}
	return tool.MapRecords(e, rd, func() func([]byte, *record.Record) ([]byte, error) {
		shingler, scored := text.NewSetShingler(o.Text.Options, key), o.scored(e)
		var hashes, tmp []uint64
		appendSet := func(dst []uint64, body []byte) (set []uint64) {
			hashes = shingler.Append(hashes[:0], body)
			set, tmp = jaccard.Set(hashes, tmp)
			return append(dst, set...)
		}
		var id, textA []byte // first id and first text of the previous pair
		var a, b []uint64    // sets of the two texts
		return func(dst []byte, rec *record.Record) ([]byte, error) {
			var p line.PairOfTexts
			if err := p.Parse(rec.Raw); err != nil {
				return dst, rec.At(err)
			}
			if a == nil || !bytes.Equal(p.A, id) || !bytes.Equal(p.TextA, textA) {
				id, textA = append(id[:0], p.A...), append(textA[:0], p.TextA...)
				a = appendSet(a[:0], p.TextA)
			}
			b = appendSet(b[:0], p.TextB)
			need := scored.need(len(a), len(b))
			if need > min(len(a), len(b)) {
				return dst, nil
			}
			return scored.append(dst, p.Pair, len(a), len(b), jaccard.Shared(a, b, need)), nil
		}
	})
}
