package seen_test

import (
	"fmt"

	"doppel/pkg/fuzzysum"
	"doppel/pkg/seen"
)

// This example uses a cache in memory, without a file.
func Example() {
	c := seen.New("", "", seen.MinBytes)
	sum, err := fuzzysum.Parse([]byte("0123456789abcdef0123456789abcdef"))
	if err != nil {
		fmt.Println(err)
		return
	}
	near := sum
	near[0] ^= 1
	err = c.Update(func(r *seen.Ring) error {
		fmt.Println(r.Seen(near, 1))
		r.Add(sum)
		fmt.Println(r.Seen(near, 1), r.Seen(near, 0))
		return nil
	})
	fmt.Println(err)
	// Output:
	// false
	// true false
	// <nil>
}
