package write

import (
	"bytes"
	"strings"
	"testing"

	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
)

// TestSink checks that kept lines are written byte for byte, except for their line ends.
func TestSink(t *testing.T) {
	rd, err := record.NewReader(record.Input{Stdin: strings.NewReader("{ \"a\" :1}\r\nnot json\n{}")}, record.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b record.Batch
	var out bytes.Buffer
	sink := New(rd, &out, dataform.Form{}, nil)
	for rd.Next(&b) == nil {
		for i := range b.Records {
			if err := sink.Keep(&b.Records[i]); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := sink.Close(); err != nil || out.String() != "{ \"a\" :1}\nnot json\n{}\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
}
