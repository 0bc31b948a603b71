package language

import (
	"encoding/binary"
	"math"
)

// A CodeTrainer computes the weights of Code from texts that are code and texts that are not.
type CodeTrainer struct {
	samples []codeSample
}

type codeSample struct {
	pairs  []pairShare
	isCode float64 // 1 for code, 0 for other texts
}

type pairShare struct {
	pair  int
	share float64 // number of occurrences of the pair, divided by the total number of pairs in the text
}

// Add adds a text to the samples, as source code if isCode is true.
func (t *CodeTrainer) Add(text []byte, isCode bool) {
	var count [pairClasses * pairClasses]int
	last := pairClass['\n']
	for _, b := range text {
		c := pairClass[b]
		count[int(last)*pairClasses+int(c)]++
		last = c
	}
	var s codeSample
	if isCode {
		s.isCode = 1
	}
	for pair, n := range count {
		if n > 0 {
			s.pairs = append(s.pairs, pairShare{pair, float64(n) / float64(len(text))})
		}
	}
	t.samples = append(t.samples, s)
}

// Table returns the weights in the format of codeTable. It computes them in the given number of
// rounds of gradient descent over all samples, with an adaptive step size for each weight (AdaGrad)
// and a small penalty on large weights. The result depends only on the samples, their order and the
// number of rounds.
func (t *CodeTrainer) Table(rounds int) []byte {
	const n, rate, penalty = pairClasses*pairClasses + 1, 1.0, 1e-6
	var w, seen [n]float64
	step := func(i int, gradient float64) {
		gradient += penalty * w[i]
		seen[i] += gradient * gradient
		w[i] -= rate * gradient / (math.Sqrt(seen[i]) + 1e-9)
	}
	for range rounds {
		for _, s := range t.samples {
			sum := w[n-1]
			for _, p := range s.pairs {
				sum += w[p.pair] * p.share
			}
			wrong := logistic(sum) - s.isCode
			for _, p := range s.pairs {
				step(p.pair, wrong*p.share)
			}
			step(n-1, wrong)
		}
	}
	var table []byte
	for _, x := range w {
		table = binary.LittleEndian.AppendUint32(table, math.Float32bits(float32(x)))
	}
	return table
}
