package simhash_test

import (
	"fmt"

	"doppel/pkg/simhash"
)

// Simhashes of similar texts differ in few bits.
func Example() {
	s, err := simhash.NewSigner(simhash.Options{Bits: 64, Grams: 2, Hash: simhash.XXH3})
	if err != nil {
		fmt.Println(err)
		return
	}
	a, _ := s.Sum([]byte("a sentence of which one word is changed"))
	b, _ := s.Sum([]byte("a sentence of which one word was changed"))
	c, _ := s.Sum([]byte("0123 4567 89 ab"))
	fmt.Println(simhash.Distance(a, b) < simhash.Distance(a, c))
	// Output: true
}
