package simhash_test

import (
	"fmt"
	"math/bits"

	"doppel/pkg/simhash"
)

// Simhashes of similar texts differ in few bits.
func Example() {
	scheme, err := simhash.ParseScheme("simhash/c2/xxh3/64/none")
	if err != nil {
		fmt.Println(err)
		return
	}
	s, _ := simhash.NewTextSigner(scheme)
	a, _ := s.Sign([]byte("a sentence of which one word is changed"))
	b, _ := s.Sign([]byte("a sentence of which one word was changed"))
	c, _ := s.Sign([]byte("0123 4567 89 ab"))
	fmt.Println(bits.OnesCount64(a.Lo^b.Lo) < bits.OnesCount64(a.Lo^c.Lo))
	// Output: true
}
