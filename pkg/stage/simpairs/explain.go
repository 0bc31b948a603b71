package simpairs

import (
	"doppel/pkg/line"
	"doppel/pkg/simhash"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/tool"
)

// writeMisses writes, for each distance, the number of pairs, the number that the rotation
// search finds, and the share that it misses here and would miss among as many random
// hashes.
func writeMisses(e *tool.Env, s simhash.Search, exhaustive func([]simhash.Hash, func(simhash.Pair) error) error, window int, hashes []simhash.Hash) error {
	all, met := make([]int64, s.Max+1), make([]int64, s.Max+1) // by distance
	if err := exhaustive(hashes, func(p simhash.Pair) error { all[p.Distance]++; return nil }); err != nil {
		return err
	}
	if err := s.Rotation(hashes, window, func(p simhash.Pair) error { met[p.Distance]++; return nil }); err != nil {
		return err
	}
	if err := lineio.Titles(e, distanceCount{}); err != nil {
		return err
	}
	var text []byte
	for d := range all {
		row := distanceCount{d, all[d], met[d], simhash.Expected(len(hashes), s.Width, window, d)}
		text = row.Append(text[:0], lineio.Format(e))
		if _, err := e.Out.Write(text); err != nil {
			return err
		}
	}
	return nil
}

// A distanceCount is the result for a distance: its pairs, those found, and the share that
// the search is expected to find.
type distanceCount struct {
	distance   int
	pairs, met int64
	expected   float64
}

// Append appends the line to dst.
func (d distanceCount) Append(dst []byte, f line.Format) []byte {
	w := f.Begin(dst)
	w.Int("distance", int64(d.distance))
	w.Int("pairs", d.pairs)
	w.Int("rotation", d.met)
	if d.pairs == 0 {
		w.None("missed")
	} else {
		w.Float("missed", 1-float64(d.met)/float64(d.pairs))
	}
	w.Float("expected", 1-d.expected)
	return w.End()
}
