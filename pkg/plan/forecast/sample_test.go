package forecast

import (
	"math"
	"math/rand/v2"
	"testing"

	"doppel/pkg/lsh"
)

const bands = 16

// A similarSet describes sets of similar records.
type similarSet struct {
	share        float64 // share of all records that are in the described sets
	size, copies int     // number of different records in a set, and number of times that each occurs
	alike        float64 // probability that two records of a set have the same key in a band
}

// randomKeys returns the keys of n records in random order. Some of the records belong to the given
// sets, and the others have random keys.
func randomKeys(random *rand.Rand, n int, sets ...similarSet) (all [][]lsh.Key) {
	key := func(band int, v uint64) uint64 { return uint64(band)<<40 | v>>24 }
	rest := n
	for _, f := range sets {
		for range int(f.share*float64(n)) / (f.size * f.copies) {
			common := random.Uint64()
			for range f.size {
				keys := make([]lsh.Key, bands)
				digest := random.Uint64()
				for i := range keys {
					keys[i] = lsh.Key{Bucket: key(i, random.Uint64()), Digest: digest}
					if random.Float64() < math.Sqrt(f.alike) {
						keys[i].Bucket = key(i, common)
					}
				}
				for range f.copies {
					all = append(all, keys)
					rest--
				}
			}
		}
	}
	for range rest {
		keys, digest := make([]lsh.Key, bands), random.Uint64()
		for i := range keys {
			keys[i] = lsh.Key{Bucket: key(i, random.Uint64()), Digest: digest}
		}
		all = append(all, keys)
	}
	random.Shuffle(n, func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// TestPairs checks that estimates from a sixteenth, a quarter and all of the records agree,
// within the accuracy of the sample.
func TestPairs(t *testing.T) {
	for name, sets := range map[string][]similarSet{
		"nothing alike": nil,
		"couples":       {{.1, 2, 1, .5}, {.06, 1, 2, 0}},
		"ten versions":  {{.9, 10, 1, .3}},
		"copies":        {{.5, 1, 20, 0}},
		"mixed":         {{.3, 10, 2, .3}, {.2, 2, 1, .5}, {.1, 1, 100, 0}},
		"hot":           {{.05, 4000, 1, .3}, {.1, 2, 1, .5}},
	} {
		t.Run(name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(1, 2))
			const n = 80_000
			all := randomKeys(random, n, sets...)
			estimate := func(rate float64) Pairs {
				s := Sample{Frame: Frame{1, rate}}
				for i, keys := range all {
					if rate == 1 || random.Float64() < rate {
						s.Add(0, i, 100, keys)
					}
				}
				return s.Pairs(1000, 4)
			}
			want := estimate(1)
			for _, rate := range []float64{1. / 4, 1. / 16} {
				got := estimate(rate)
				for what, pair := range map[string][2]float64{
					"pairs": {got.Candidates, want.Candidates}, "lines": {got.Lines, want.Lines}, "records in pairs": {got.Paired, want.Paired},
				} {
					if math.Abs(pair[0]-pair[1]) > .2*pair[1] {
						t.Errorf("of %v: %s %.0f, want %.0f", rate, what, pair[0], pair[1])
					}
				}
				if off := math.Abs(got.Candidates - want.Candidates); off > 3*got.Error*want.Candidates+1 {
					t.Errorf("of %v: %.0f pairs, want %.0f, with a standard error of %.4f", rate, got.Candidates, want.Candidates, got.Error)
				}
				if want.Candidates > got.Most*1.2 {
					t.Errorf("of %v: at most %.0f pairs, want %.0f", rate, got.Most, want.Candidates)
				}
			}
		})
	}
}

// TestPairsInFiles checks that Pairs distinguishes similarity within files from similarity across
// files if only some files are drawn.
func TestPairsInFiles(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	const files, each = 64, 1000
	var shards [files][][]lsh.Key
	for i := range shards {
		shards[i] = randomKeys(random, each, similarSet{.5, 10, 1, .3})
	}
	spread := randomKeys(random, files*each, similarSet{.2, 2, 1, .9})
	for i, keys := range spread {
		shards[i%files] = append(shards[i%files], keys)
	}
	estimate := func(n int, rate float64) Pairs {
		s := Sample{Frame: Frame{float64(n) / files, rate}}
		for f := range n {
			for i, keys := range shards[f] {
				if rate == 1 || random.Float64() < rate {
					s.Add(f, i, 100, keys)
				}
			}
		}
		return s.Pairs(1000, 4)
	}
	want, got := estimate(files, 1), estimate(16, .5)
	if math.Abs(got.Candidates/want.Candidates-1) > .1 || math.Abs(got.Paired/want.Paired-1) > .2 {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestNoPairs checks that a sample without pairs yields an upper bound for the number of pairs.
func TestNoPairs(t *testing.T) {
	s := Sample{Frame: Frame{1, .01}}
	for i, keys := range randomKeys(rand.New(rand.NewPCG(7, 8)), 100) {
		s.Add(0, i, 100, keys)
	}
	s.Add(0, 100, 0, nil) // a text without words has no keys
	if p := s.Pairs(1000, 4); p.Candidates != 0 || p.Paired != 0 || p.Most != 30_000 || p.Copies != 1 || p.Length != 1 {
		t.Errorf("%+v", p)
	}
}
