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

// An output writes decisions. If the output is a regular file, each decision is written as soon as
// the user makes it. Otherwise all decisions are written at the end, because a decision cannot be
// undone after it has been written to a pipe or a terminal.
type output struct {
	journal *judgement.Journal // nil if the output is not a regular file
	name    string             // name of an output that is not a regular file; "" for standard output
	ledger  *judgement.Ledger  // decisions so far
	whole   func(step func())  // calls a function, and delays signals until it returns
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
		e.Note("%s: removed the last decision, which an interrupted run left incomplete", o.Output)
	}
	return &output{journal: j, ledger: l, whole: e.Whole}, nil
}

// save writes the decisions in the ledger to the journal, if there is one. effect says whether the
// last decision was appended or an earlier one was changed.
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

// finish writes the decisions that have not yet been written. If an error occurred while the pairs
// were read, finish returns it.
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
