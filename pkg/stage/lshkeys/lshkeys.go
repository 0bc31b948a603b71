// Package lshkeys writes the keys by which similar signatures meet.
//
// See man/lshkeys.1. It is the plainest tool, and the one to read first: options
// that are flags, a loop over lines, and what is made of a line.
package lshkeys

import (
	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/line"
	"doppel/pkg/method"
	"doppel/pkg/stage/lines"
	"doppel/pkg/stage/option"
	"doppel/pkg/tool"
)

// Options say how signatures become keys.
type Options struct {
	tool.Common
	Keys    option.Keys
	Explain bool // the S-curve of the bands is written, and nothing is read
}

// Default returns the options of a run without flags.
func Default() Options { return Options{Keys: option.DefaultKeys()} }

// Command returns the tool.
func Command() *tool.Command {
	o := Default()
	return &tool.Command{
		Name:    "lshkeys",
		Summary: "write the keys by which similar signatures meet",
		Usage:   "[FILE...]",
		Options: &o,
	}
}

// Flags registers the flags.
func (o *Options) Flags(fs *pflag.FlagSet) {
	o.Keys.Flags(fs)
	fs.BoolVar(&o.Explain, "explain", o.Explain, "print the S-curve of the bands of 128 slots, and read nothing")
	o.Common.Flags(fs, tool.JSON|tool.Header|tool.Jobs|tool.KeepGoing|tool.Output|tool.Watch)
}

// Args returns the arguments that make these options of the default ones.
func (o *Options) Args() []string {
	preset := Default()
	return flagset.Args(o, &preset)
}

// Check refuses options that mean nothing.
func (o *Options) Check() error { return o.Keys.Check() }

// Idle returns the flags that do nothing.
func (o *Options) Idle() tool.Idle {
	i := o.Common.Idle()
	o.Keys.Idle(&i)
	i.When(o.Explain, "with --explain", "within", "json")
	return i
}

// Run writes the keys of each signature. Batches of lines are worked on in
// parallel, and written in the order of the input.
func (o *Options) Run(e *tool.Env, operands []string) error {
	if o.Explain {
		return o.Keys.Explain(e.Out, 128)
	}
	if err := lines.Header(e, line.Key{}); err != nil {
		return err
	}
	newWorker := func() lines.Worker[[]byte] {
		return &worker{keyer: method.NewAnyKeyer(o.Keys.Options), format: lines.Format(e)}
	}
	return lines.Signatures(e, new(line.Guard), operands, newWorker, func(text *[]byte) error {
		_, err := e.Out.Write(*text)
		return err
	})
}

// A worker makes the lines of keys.
type worker struct {
	keyer  *method.AnyKeyer
	format line.Format
}

// Take appends the lines of the keys of a signature.
func (w *worker) Take(text *[]byte, s line.Signature) error {
	return w.keyer.Each(s, func(k line.Key) { *text = k.Append(*text, w.format) })
}
