package lsh_test

import (
	"fmt"

	"doppel/pkg/lsh"
)

// The chosen bands find a pair of similarity 0.8 with at least the requested probability, but a
// pair of similarity 0.3 with a probability below 0.2.
func ExampleChoose() {
	b := lsh.Choose(128, 0.8, 0.9995)
	fmt.Println(b.Chance(0.8) >= 0.9995, b.Chance(0.3) < 0.2)
	// Output: true true
}
