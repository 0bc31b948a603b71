package jaccard_test

import (
	"fmt"

	"doppel/pkg/jaccard"
)

// This example computes the Jaccard similarity of two sets of hashes.
func Example() {
	a, tmp := jaccard.Set([]uint64{3, 1, 2, 3, 4}, nil)
	b, _ := jaccard.Set([]uint64{2, 3, 4, 5}, tmp)
	shared := jaccard.Shared(a, b, 0)
	fmt.Println(shared, jaccard.Similarity(len(a), len(b), shared))
	// Output: 3 0.6
}
