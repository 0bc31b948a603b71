package dupreview

import (
	"errors"
	"fmt"
	"os"

	"doppel/pkg/review"
	"doppel/pkg/review/judgement"
	"doppel/pkg/tool"
	"doppel/pkg/wording"
)

// An output is where decisions go: a file that has each as soon as it is made, or
// standard output at the end, since what was written there cannot be taken back.
type output struct {
	journal *judgement.Journal // nil: standard output, or what is no file
	name    string             // of what is no file
	ledger  *judgement.Ledger
}

func (o *Options) openOutput(e *tool.Env) (*output, error) {
	if o.Output == "" || o.Output == "-" {
		return &output{ledger: &judgement.Ledger{}}, nil
	}
	info, err := os.Stat(o.Output)
	if err == nil && !info.Mode().IsRegular() {
		return &output{name: o.Output, ledger: &judgement.Ledger{}}, nil
	}
	if err == nil {
		if err := o.clash(info); err != nil {
			return nil, err
		}
	}
	j, l, torn, err := judgement.OpenJournal(o.Output)
	if err != nil {
		return nil, err
	}
	if torn > 0 {
		e.Note("%s: the last decision was torn by a kill, and is cut off", o.Output)
	}
	return &output{journal: j, ledger: l}, nil
}

// clash refuses an output that is one of the records' files.
func (o *Options) clash(out os.FileInfo) error {
	for _, name := range o.Data {
		if info, err := os.Stat(name); err == nil && os.SameFile(info, out) {
			return fmt.Errorf("%s is an input, and would be lost", name)
		}
	}
	return nil
}

// save has the file hold what the ledger holds.
func (o *output) save(effect review.Effect) error {
	switch {
	case o.journal == nil:
		return nil
	case effect == review.Appended:
		return o.journal.Append(o.ledger)
	}
	return o.journal.Rewrite(o.ledger)
}

// finish writes what is not written yet, and tells what was wrong with the pairs.
func (o *output) finish(e *tool.Env, status review.Status) error {
	if err := o.write(e); err != nil {
		return fmt.Errorf("writing output: %w", err)
	}
	if status.Passed > 0 {
		e.Note("%s that %s no second record %s not shown", wording.Number(status.Passed, "decision"), names(status.Passed), wording.Are(status.Passed))
	}
	return status.Err
}

func names(n int) string {
	if n == 1 {
		return "names"
	}
	return "name"
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
