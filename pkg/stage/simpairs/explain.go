package simpairs

import (
	"doppel/pkg/simhash"
	"doppel/pkg/tool"
	"doppel/pkg/tsv"
)

var explained = tsv.Stream{"distance", "pairs", "rotation", "missed", "expected"}

// explain writes, for each distance: how many pairs there are, how many of
// them the rotation search finds, and which part of them it misses here and
// would miss among as many hashes that look random.
func explain(e *tool.Env, s simhash.Search, o *options, hashes []simhash.Hash) error {
	pairs, met := make([]int64, s.Max+1), make([]int64, s.Max+1)
	err := o.exhaustive(s)(hashes, func(p simhash.Pair) error {
		pairs[p.Distance]++
		return nil
	})
	if err != nil {
		return err
	}
	err = s.Rotation(hashes, o.window, func(p simhash.Pair) error {
		met[p.Distance]++
		return nil
	})
	if err != nil {
		return err
	}
	enc := tsv.Encoder{Stream: explained, JSON: e.JSON}
	var line []byte
	for d := range pairs {
		enc.Begin(line[:0])
		enc.Int(int64(d))
		enc.Int(pairs[d])
		enc.Int(met[d])
		if pairs[d] == 0 {
			enc.None()
		} else {
			enc.Float(1 - float64(met[d])/float64(pairs[d]))
		}
		enc.Float(1 - simhash.Expected(len(hashes), s.Width, o.window, d))
		line = enc.End()
		if _, err := e.Out.Write(line); err != nil {
			return err
		}
	}
	return nil
}
