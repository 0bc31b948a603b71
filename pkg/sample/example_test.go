package sample_test

import (
	"fmt"
	"slices"

	"doppel/pkg/sample"
)

// Fingerprints are selected by their value, so that texts with a common passage share
// fingerprints, wherever the passage is.
func Example() {
	p := sample.Default
	p.Criterion = sample.LowBits(2)
	s, err := sample.New(p)
	if err != nil {
		fmt.Println(err)
		return
	}
	passage := "It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness."
	a := s.Append(nil, slices.Values([][]byte{[]byte("Once: " + passage)}))
	b := s.Append(nil, slices.Values([][]byte{[]byte(passage + " And so on.")}))
	fmt.Println(slices.ContainsFunc(a, func(h uint64) bool { return slices.Contains(b, h) }))
	// Output: true
}
