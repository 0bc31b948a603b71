package blockhash_test

import (
	"fmt"

	"doppel/pkg/blockhash"
)

// A rule says which spans of a file are hashed: of a large file, only a few.
func ExampleRule_Spans() {
	r := blockhash.Default
	fmt.Println(len(r.Spans(nil, 100)), r.Spans(nil, 100)[0])
	fmt.Println(r.Most() >= 100)
	// Output:
	// 1 {0 100}
	// true
}
