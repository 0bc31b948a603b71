package fuzzysum_test

import (
	"fmt"
	"io"

	"doppel/pkg/fuzzysum"
)

// Messages that differ only in case and line breaks have the same sum.
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
