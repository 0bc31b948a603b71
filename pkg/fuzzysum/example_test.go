package fuzzysum_test

import (
	"fmt"
	"io"

	"doppel/pkg/fuzzysum"
)

// The sums of messages that differ in a few words differ in a few bits.
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
