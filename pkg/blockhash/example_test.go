package blockhash_test

import (
	"fmt"

	"doppel/pkg/blockhash"
)

// A file smaller than a block is hashed completely, as one span.
func ExampleRule_Spans() {
	r := blockhash.Default
	fmt.Println(len(r.Spans(nil, 100)), r.Spans(nil, 100)[0])
	fmt.Println(r.Most() >= 100)
	// Output:
	// 1 {0 100}
	// true
}
