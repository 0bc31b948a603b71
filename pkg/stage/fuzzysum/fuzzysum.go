// Package fuzzysum computes the fuzzy checksum of messages.
//
// See man/fuzzysum.1.
package fuzzysum

import (
	"doppel/pkg/fuzzysum"
	"doppel/pkg/tool"
)

// Command returns the tool.
func Command() *tool.Command {
	o := options{sum: fuzzysum.Default()}
	return tool.Adapt(&tool.Old{
		Name:    "fuzzysum",
		Summary: "compute the fuzzy checksum of a message",
		Usage:   "[CONFIDENCE] [FILE...]",
		Shared:  tool.Null | tool.JSON | tool.Jobs | tool.KeepGoing | tool.Output,
		Flagger: o.flags,
		Runner:  func(e *tool.Env, args []string) error { return run(e, &o, args) },
	})
}

func run(e *tool.Env, o *options, args []string) error {
	args, err := o.settle(args)
	if err != nil {
		return err
	}
	s := &summer{env: e, options: o.sum, read: o.reading()}
	switch {
	case o.files:
		return s.each(listed(e))
	case o.mbox:
		return s.each(mboxes(e, args))
	case len(args) == 0 || len(args) == 1 && args[0] == "-":
		return s.one()
	}
	return s.each(named(e, args))
}
