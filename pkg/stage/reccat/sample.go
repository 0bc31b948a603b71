package reccat

import (
	"bytes"
	"cmp"
	"math/rand/v2"
	"slices"

	"doppel/pkg/record"
	"doppel/pkg/tool"
)

// sample copies records drawn at random, in the order of the input: a
// reservoir, in which the i-th record replaces a random one of n with the
// probability n/i (Waterman's algorithm R). It holds the n records.
func sample(e *tool.Env, rd *record.Reader, sink *record.Sink, o *Options) error {
	random := rand.New(rand.NewPCG(o.Seed, 0))
	var drawn []record.Record
	err := tool.EachRecord(e, rd, func(rec *record.Record) error {
		at := int64(len(drawn))
		switch {
		case at < o.Sample:
			drawn = append(drawn, record.Record{})
		default:
			at = random.Int64N(rec.Ordinal + 1)
		}
		if at < o.Sample {
			drawn[at].Ordinal, drawn[at].Raw = rec.Ordinal, bytes.Clone(rec.Raw)
		}
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortFunc(drawn, func(a, b record.Record) int { return cmp.Compare(a.Ordinal, b.Ordinal) })
	for i := range drawn {
		if err := sink.Keep(&drawn[i]); err != nil {
			return err
		}
	}
	return nil
}
