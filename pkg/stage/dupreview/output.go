package dupreview

import (
	"errors"
	"fmt"
	"os"

	"doppel/pkg/msg"
	"doppel/pkg/review"
	"doppel/pkg/review/judgement"
	"doppel/pkg/tool"
)

// An output receives decisions: a file gets each one as soon as it is made; standard output
// gets all at the end, because written text cannot be undone.
type output struct {
	journal *judgement.Journal // nil for standard output or an output that is not a regular file
	name    string             // name of an output that is not a regular file
	ledger  *judgement.Ledger
	whole   func(step func()) // runs step; a signal waits until it has ended
}

func (o *Options) openOutput(e *tool.Env) (*output, error) {
	if o.Output == "" || o.Output == "-" {
		return &output{ledger: &judgement.Ledger{}}, nil
	}
	info, err := os.Stat(o.Output)
	if err == nil && !info.Mode().IsRegular() {
		return &output{name: o.Output, ledger: &judgement.Ledger{}}, nil
	}
	for _, name := range o.Data {
		if in, inErr := os.Stat(name); err == nil && inErr == nil && os.SameFile(in, info) {
			return nil, fmt.Errorf("%s: input file is output file", name)
		}
	}
	j, l, torn, err := judgement.OpenJournal(o.Output)
	if err != nil {
		return nil, err
	}
	if torn > 0 {
		e.Note("%s: the last decision was incomplete after a kill, and is removed", o.Output)
	}
	return &output{journal: j, ledger: l, whole: e.Whole}, nil
}

// save makes the file contain the decisions of the ledger, without leaving temporary files.
func (o *output) save(effect review.Effect) (err error) {
	if o.journal == nil {
		return nil
	}
	write := o.journal.Rewrite
	if effect == review.Appended {
		write = o.journal.Append
	}
	o.whole(func() { err = write(o.ledger) })
	return err
}

// finish writes decisions not yet written, and reports errors in the pairs.
func (o *output) finish(e *tool.Env, status review.Status) error {
	if err := o.write(e); err != nil {
		return fmt.Errorf("writing output: %w", err)
	}
	if n := status.Passed; n > 0 {
		e.Note("%s without a second record %s not shown", msg.Number(n, "decision"), msg.Are(n))
	}
	return status.Err
}

func (o *output) write(e *tool.Env) error {
	switch {
	case o.journal != nil:
		return o.journal.Close()
	case o.name == "":
		_, err := e.Out.Write(o.ledger.Lines())
		return err
	}
	f, err := os.OpenFile(o.name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(o.ledger.Lines())
	return errors.Join(err, f.Close())
}
