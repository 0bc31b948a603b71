package record

import (
	"io"

	"doppel/pkg/record/jsonscan"
)

// A rewriter reads a kind of text that does not have one value per line as JSON lines.
type rewriter struct {
	begins func(data []byte, all bool) bool // whether a stream begins like this kind; data is its beginning or, if all is set, the whole stream
	lines  func(io.Reader) io.Reader        // returns the values as lines, which are all checked; nil if the kind is not supported
	fault  string                           // what a stream is that is not supported
}

// rewriters lists the kinds. A stream that begins like none of them has one value per line.
var rewriters = []rewriter{
	{begins: hasLayout(jsonscan.ObjectArray), lines: func(r io.Reader) io.Reader { return jsonscan.NewValuesReader(r, true) }},
	{begins: hasLayout(jsonscan.OverSeveral), lines: func(r io.Reader) io.Reader { return jsonscan.NewValuesReader(r, false) }},
	{begins: hasLayout(jsonscan.OtherArray), fault: "a JSON array of values that are not objects"},
}

func hasLayout(l jsonscan.Layout) func([]byte, bool) bool {
	return func(data []byte, all bool) bool { return jsonscan.LayoutOf(data, all) == l }
}
