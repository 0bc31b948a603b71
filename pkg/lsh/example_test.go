package lsh_test

import (
	"fmt"

	"doppel/pkg/lsh"
)

// Of bands is wanted that pairs of the threshold meet with the recall asked for; the
// chance of a pair to meet rises steeply with its similarity.
func ExampleChoose() {
	b := lsh.Choose(128, 0.8, 0.9995)
	fmt.Println(b.Chance(0.8) >= 0.9995, b.Chance(0.3) < 0.2)
	// Output: true true
}
