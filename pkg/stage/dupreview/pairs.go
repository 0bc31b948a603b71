package dupreview

import (
	"io"

	"doppel/pkg/record"
	"doppel/pkg/review"
	"doppel/pkg/stage/lines"
	"doppel/pkg/tool"
	"doppel/pkg/wording"
)

// openPairs opens the operand, or standard input. That must not be the terminal,
// whose keys are something else.
func openPairs(e *tool.Env, operands []string) (*record.Reader, error) {
	switch {
	case len(operands) > 1:
		return nil, tool.UsageError("want one file of pairs, or standard input")
	case (len(operands) == 0 || operands[0] == "-") && e.Typed():
		return nil, wording.WithHint(tool.UsageError("want pairs on standard input, or in a file"), "keys are read from the terminal beside that")
	}
	return lines.Open(e, operands)
}

// read adds all pairs to a list.
func read(pairs *record.Reader, list *review.List) error {
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
				return rec.At(err)
			}
		}
	}
}
