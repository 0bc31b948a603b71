package record_test

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"doppel/pkg/record"
)

// A Reader returns records in batches, whatever the format of the input: JSON lines, CSV or
// Parquet, compressed or not.
func ExampleReader() {
	in := record.Input{Stdin: strings.NewReader("{\"text\":\"one\"}\n{\"text\":\"two\"}\n{\"txt\":\"three\"}\n")}
	rd, err := record.NewReader(in, record.Options{Fields: []string{"text"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	var b record.Batch
	for {
		if err := rd.Next(&b); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			fmt.Println(err)
			return
		}
		b.Decode()
		for _, r := range b.Records {
			fmt.Printf("%s %q %v\n", r.ID, r.Text, r.Err)
		}
	}
	// Output:
	// 0 "one" <nil>
	// 1 "two" <nil>
	// 2 "" <stdin>:3: no field "text"
}
