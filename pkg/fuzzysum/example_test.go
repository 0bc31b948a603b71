package fuzzysum_test

import (
	"fmt"
	"io"

	"doppel/pkg/fuzzysum"
)

// Sums of messages that differ in a few words are a few bits apart.
func Example() {
	h, err := fuzzysum.NewHasher(fuzzysum.Default())
	if err != nil {
		fmt.Println(err)
		return
	}
	sum := func(text string) fuzzysum.Sum {
		h.Reset()
		io.WriteString(h, text)
		return h.Result().Sum
	}
	a := sum("Dear Anna, the meeting is on Monday at nine in the large room.")
	b := sum("DEAR ANNA,\nthe meeting is on Monday at nine in the large room.")
	fmt.Println(fuzzysum.Distance(a, b))
	// Output: 0
}
