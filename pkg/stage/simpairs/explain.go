package simpairs

import (
	"doppel/pkg/line"
	"doppel/pkg/simhash"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/tool"
)

// writeMisses writes a line for each distance, with the number of pairs at this distance and the
// number of those that the rotation search finds. The line also gives the share of pairs that the
// search misses, and the share that it is expected to miss among the same number of random hashes.
func writeMisses(e *tool.Env, s simhash.Search, exhaustive func([]simhash.Hash, func(simhash.Pair) error) error, window int, hashes []simhash.Hash) error {
	// For each distance, the total number of pairs, and the number that the rotation search finds.
	all, met := make([]int64, s.Max+1), make([]int64, s.Max+1)
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

// A distanceCount is the line for a distance.
type distanceCount struct {
	distance   int
	pairs, met int64   // pairs: number of pairs; met: number of pairs found by the rotation search
	expected   float64 // share of pairs that the rotation search is expected to find
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
