package text_test

import (
	"fmt"

	"doppel/pkg/text"
)

// The shingles of a text are hashes of runs of its words, after normalization.
func Example() {
	s := text.NewShingler(text.Default)
	a := s.Append(nil, []byte("The quick brown fox jumps."))
	b := s.Append(nil, []byte("the  quick brown FOX jumps"))
	fmt.Println(len(a), a[0] == b[0])
	// Output: 3 true
}
