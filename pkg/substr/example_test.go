package substr_test

import (
	"fmt"

	"doppel/pkg/substr"
)

// Blocks occur in both texts, in the same order.
func ExampleBlocks() {
	a, b := []byte("the quick brown fox"), []byte("a quick brown dog")
	for _, m := range substr.Blocks(a, b, 5) {
		fmt.Printf("%q at %d and %d\n", a[m.A:m.A+m.Size], m.A, m.B)
	}
	// Output: " quick brown " at 3 and 1
}
