package dupreview

import (
	"io"

	"doppel/pkg/record"
	"doppel/pkg/review"
	"doppel/pkg/tool"
	"doppel/pkg/wording"
)

// A stream is the pairs as lines.
type stream struct{ *record.Reader }

// openPairs opens the operand, or standard input. That must not be the terminal,
// whose keys are something else.
func openPairs(e *tool.Env, operands []string) (*stream, error) {
	switch {
	case len(operands) > 1:
		return nil, tool.UsageError("want one file of pairs, or standard input")
	case (len(operands) == 0 || operands[0] == "-") && e.Typed():
		return nil, wording.WithHint(tool.UsageError("want pairs on standard input, or in a file"), "keys are read from the terminal beside that")
	}
	rd, err := record.NewReader(e.Input(operands), record.Options{Lines: true})
	return &stream{rd}, err
}

// Close does nothing: who ends while pairs still come leaves them to the system.
func (s *stream) Close() error { return nil }

// read adds all pairs to a list.
func read(pairs *stream, list *review.List) error {
	var b record.Batch
	for {
		switch err := pairs.Next(&b); {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		for i := range b.Records {
			rec := &b.Records[i]
			if err := list.Add(rec.Raw); err != nil {
				return &record.SyntaxError{Name: b.Name(), Line: rec.Line, Err: err}
			}
		}
	}
}
