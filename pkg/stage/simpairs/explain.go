package simpairs

import (
	"doppel/pkg/simhash"
	"doppel/pkg/stage/lines"
	"doppel/pkg/tool"
)

// explain writes, for each distance: how many pairs there are, how many of
// them the rotation search finds, and which part of them it misses here and
// would miss among as many hashes that look random.
func explain(e *tool.Env, s simhash.Search, o *Options, hashes []simhash.Hash) error {
	all, met := make(tally, s.Max+1), make(tally, s.Max+1)
	if err := o.exhaustive(s)(hashes, all.add); err != nil {
		return err
	}
	if err := s.Rotation(hashes, o.Window, met.add); err != nil {
		return err
	}
	var text []byte
	for d := range all {
		w := lines.Format(e).Begin(text[:0])
		w.Int("distance", int64(d))
		w.Int("pairs", all[d])
		w.Int("rotation", met[d])
		if all[d] == 0 {
			w.None("missed")
		} else {
			w.Float("missed", 1-float64(met[d])/float64(all[d]))
		}
		w.Float("expected", 1-simhash.Expected(len(hashes), s.Width, o.Window, d))
		text = w.End()
		if _, err := e.Out.Write(text); err != nil {
			return err
		}
	}
	return nil
}

// A tally counts pairs by their distance.
type tally []int64

func (t tally) add(p simhash.Pair) error {
	t[p.Distance]++
	return nil
}
