// Package wording is how messages are worded: what stands in them of data does not act
// on a terminal, numbers of things are in the right form, and a second line says what
// may help.
package wording

import "fmt"

// Number returns a number of things, as in "1 pair" and "2 pairs".
func Number[N int | int64](n N, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// Are returns the verb for a number of things.
func Are[N int | int64](n N) string {
	if n == 1 {
		return "is"
	}
	return "are"
}
