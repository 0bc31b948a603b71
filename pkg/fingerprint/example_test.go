package fingerprint_test

import (
	"fmt"
	"slices"

	"doppel/pkg/fingerprint"
)

// Fingerprints are selected by their value, so that texts with a common passage share
// fingerprints, wherever the passage is.
func Example() {
	p := fingerprint.Default
	p.Criterion = fingerprint.LowBits(2)
	s, err := fingerprint.New(p)
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
