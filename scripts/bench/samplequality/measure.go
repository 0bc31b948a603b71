package main

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"doppel/pkg/sample"
)

// A measurement is one row of the table.
type measurement struct {
	sample.Params
	sampler *sample.Sampler
	all     *sample.Sampler // keeps every window
	files   [][]byte
	random  *rand.Rand
}

func newMeasurement(p sample.Params, files [][]byte) (*measurement, error) {
	s, err := sample.New(p)
	if err != nil {
		return nil, err
	}
	every := p
	every.Winnow = 1
	all, err := sample.New(every)
	return &measurement{p, s, all, files, rand.New(rand.NewPCG(1994, 50))}, err
}

// density is the number of fingerprints per 1000 bytes.
func (m *measurement) density() float64 {
	n, size := 0, 0
	for _, text := range m.files {
		n += len(m.sampler.Append(nil, text))
		size += len(text)
	}
	return 1000 * float64(n) / float64(size)
}

// twoFiles are two different ones.
func (m *measurement) twoFiles() (a, b []byte) {
	i := m.random.IntN(len(m.files))
	j := (i + 1 + m.random.IntN(len(m.files)-1)) % len(m.files)
	return m.files[i], m.files[j]
}

// recall is the share of passages of n bytes that are seen when pasted: the
// two files then share a fingerprint of a window of the passage.
func (m *measurement) recall(n, trials int) float64 {
	seen := 0
	for range trials {
		a, b := m.twoFiles()
		at, into := m.random.IntN(len(a)-n+1), m.random.IntN(len(b)+1)
		passage := a[at : at+n]
		pasted := slices.Concat(b[:into], passage, b[into:])
		common := intersection(m.sampler.Append(nil, a), m.sampler.Append(nil, pasted))
		if sample.Shared(common, m.all.Append(nil, passage)) > 0 {
			seen++
		}
	}
	return float64(seen) / float64(trials)
}

func intersection(a, b []uint64) (both []uint64) {
	for _, h := range a {
		if _, ok := slices.BinarySearch(b, h); ok {
			both = append(both, h)
		}
	}
	return both
}

// unrelated counts pairs at random that share a fingerprint, and those of
// them that share no window.
func (m *measurement) unrelated(trials int) (shared, wrong int) {
	for range trials {
		a, b := m.twoFiles()
		if sample.Shared(m.sampler.Append(nil, a), m.sampler.Append(nil, b)) == 0 {
			continue
		}
		shared++
		if !shareWindow(a, b, m.Window) {
			wrong++
		}
	}
	return shared, wrong
}

func shareWindow(a, b []byte, n int) bool {
	windows := map[string]bool{}
	for i := 0; i+n <= len(a); i++ {
		windows[string(a[i:i+n])] = true
	}
	for i := 0; i+n <= len(b); i++ {
		if windows[string(b[i:i+n])] {
			return true
		}
	}
	return false
}

// comparison sums up estimates of containment against the exact ones, for
// the question which are at least a quarter.
type comparison struct {
	pairs, quarter, found, wrong int
	square                       float64
}

func (c *comparison) rmse() float64 { return math.Sqrt(c.square / float64(c.pairs)) }

func (c *comparison) add(exact, estimate float64) {
	c.pairs++
	c.square += (exact - estimate) * (exact - estimate)
	switch {
	case exact >= 0.25:
		c.quarter++
		if estimate >= 0.25 {
			c.found++
		}
	case estimate >= 0.25:
		c.wrong++
	}
}

// revisions compares each revision with the next and with the last.
func (m *measurement) revisions(dir string) (c comparison, err error) {
	histories, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		return c, err
	}
	for _, history := range histories {
		var sets, exacts [][]uint64
		for i := 1; ; i++ {
			text, err := os.ReadFile(filepath.Join(history, strconv.Itoa(i)))
			if os.IsNotExist(err) {
				break
			}
			if err != nil {
				return c, err
			}
			sets = append(sets, m.sampler.Append(nil, text))
			exacts = append(exacts, m.all.Append(nil, text))
		}
		for i := 0; i+1 < len(sets); i++ {
			last := len(sets) - 1
			c.add(containment(exacts[i], exacts[i+1]), containment(sets[i], sets[i+1]))
			c.add(containment(exacts[i], exacts[last]), containment(sets[i], sets[last]))
		}
	}
	return c, nil
}

// containment of a in b.
func containment(a, b []uint64) float64 {
	return sample.Overlap{A: len(a), B: len(b), Shared: sample.Shared(a, b)}.InA(sample.Confidence95).Value
}
