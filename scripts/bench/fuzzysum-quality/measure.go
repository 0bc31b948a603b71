package main

import (
	"fmt"
	"io"
	"math/rand/v2"

	"doppel/pkg/fuzzysum"
)

// A method makes signatures and tells how far they are apart.
type method struct {
	name      string
	distances []int // the greatest that are called the same, one row each
	sign      func(text string) (string, error)
	distance  func(a, b string) (int, error)
}

// ownMethods are fuzzysum in both readings, with and without sparse hashing.
func ownMethods() (all []method) {
	for _, o := range []struct {
		name    string
		reading fuzzysum.Reading
		level   float64
		words   int
	}{
		{"two-sided 60 %", fuzzysum.TwoSided, 60, 1},
		{"one-sided 60 %", fuzzysum.OneSided, 60, 1},
		{"two-sided 60 %, --words 2", fuzzysum.TwoSided, 60, 2},
		{"two-sided 60 %, --words 5", fuzzysum.TwoSided, 60, 5},
	} {
		h, err := fuzzysum.NewHasher(fuzzysum.Options{Confidence: o.level, Reading: o.reading, Words: o.words})
		if err != nil {
			panic(err) // the table above is wrong
		}
		all = append(all, method{o.name, []int{0, 1, 2, 3, 4, 6, 8, 10}, signer(h), hamming})
	}
	return all
}

func signer(h *fuzzysum.Hasher) func(string) (string, error) {
	return func(text string) (string, error) {
		h.Reset()
		io.WriteString(h, text)
		sum := h.Result().Sum
		return string(sum[:]), nil
	}
}

func hamming(a, b string) (int, error) {
	return fuzzysum.Distance(fuzzysum.Sum([]byte(a)), fuzzysum.Sum([]byte(b))), nil
}

// allPairs and fewPairs yield the pairs of n messages that are held against each
// other.
func allPairs(n int, yield func(i, j int) bool) {
	for i := range n {
		for j := range i {
			if !yield(i, j) {
				return
			}
		}
	}
}

func fewPairs(n int, yield func(i, j int) bool) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		if i, j := rnd.IntN(n), rnd.IntN(n); i != j && !yield(i, j) {
			return
		}
	}
}

// measure writes the rows of one method.
func measure(out io.Writer, m method, set *sample, pairs func(int, func(i, j int) bool)) error {
	originals, err := signAll(m, set.originals)
	if err != nil {
		return err
	}
	rows := make([][]float64, len(m.distances))
	for _, texts := range set.changed {
		changed, err := signAll(m, texts)
		if err != nil {
			return err
		}
		close := closeness{of: m}
		for i := range changed {
			close.add(originals[i], changed[i])
		}
		close.appendTo(rows, 100)
		if close.err != nil {
			return close.err
		}
	}
	meet := closeness{of: m}
	pairs(len(originals), func(i, j int) bool {
		meet.addUnrelated(originals[i], originals[j], func() bool {
			return related(set.originals[i], set.originals[j])
		})
		return meet.err == nil
	})
	meet.appendTo(rows, 1e6)
	for i, row := range rows {
		fmt.Fprintf(out, "%-28s %3d", m.name, m.distances[i])
		for _, x := range row[:len(row)-1] {
			fmt.Fprintf(out, " %5.1f", x)
		}
		fmt.Fprintf(out, " %9.1f\n", row[len(row)-1])
	}
	return meet.err
}

func signAll(m method, texts []string) ([]string, error) {
	signatures := make([]string, len(texts))
	for i, text := range texts {
		var err error
		if signatures[i], err = m.sign(text); err != nil {
			return nil, fmt.Errorf("%s: %w", m.name, err)
		}
	}
	return signatures, nil
}

// closeness counts pairs by distance.
type closeness struct {
	of    method
	total int
	err   error
	close [1024]int // distances beyond are counted as the last
}

func (c *closeness) add(a, b string) {
	c.addUnrelated(a, b, func() bool { return false })
}

// addUnrelated counts a pair as far apart if it is related, which is asked only
// of pairs that are close: to answer takes time.
func (c *closeness) addUnrelated(a, b string, related func() bool) {
	d, err := c.of.distance(a, b)
	if err != nil && c.err == nil {
		c.err = fmt.Errorf("%s: %w", c.of.name, err)
	}
	if d > c.of.distances[len(c.of.distances)-1] || related() {
		d = len(c.close) - 1
	}
	c.close[d]++
	c.total++
}

// appendTo adds to each row the share of pairs within its distance, times scale.
func (c *closeness) appendTo(rows [][]float64, scale float64) {
	for i, limit := range c.of.distances {
		n := 0
		for _, pairs := range c.close[:limit+1] {
			n += pairs
		}
		rows[i] = append(rows[i], scale*float64(n)/float64(max(1, c.total)))
	}
}
