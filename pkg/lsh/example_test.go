package lsh_test

import (
	"fmt"

	"doppel/pkg/lsh"
)

// Choose returns bands with the recall at the threshold; the probability that a pair shares a
// key rises steeply with its similarity.
func ExampleChoose() {
	b := lsh.Choose(128, 0.8, 0.9995)
	fmt.Println(b.Chance(0.8) >= 0.9995, b.Chance(0.3) < 0.2)
	// Output: true true
}
