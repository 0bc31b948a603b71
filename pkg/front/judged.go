package front

import (
	"fmt"
	"io"

	"doppel/pkg/review/judgement"
	"doppel/pkg/tool"
	"doppel/pkg/wording"
)

// judgements prints what the decisions of a person, as dupreview writes them, say of
// each threshold among their scores.
func judgements(e *tool.Env, name string) error {
	in, err := e.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	text, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	l, whole, err := judgement.ParseJudgements(text)
	if err == nil && whole < len(text) {
		err = fmt.Errorf("the last decision is not whole")
	}
	if err != nil {
		return fmt.Errorf("%s: %w", in.Name, err)
	}
	fmt.Fprintf(e.Out, "judged\t%s\n", wording.Number(len(l.All()), "pair"))
	fmt.Fprintf(e.Out, "cut\tsame\tjudged\tprecision\tlow\thigh\n")
	for _, c := range judgement.Cuts(l.All()) {
		fmt.Fprintf(e.Out, "%.2f\t%d\t%d\t%.4f\t%.4f\t%.4f\n", c.At, c.Same, c.Of, cut(c.Share.Value), cut(c.Share.Low), c.Share.High)
	}
	return nil
}
