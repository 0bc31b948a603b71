// Package lshkeys writes the keys that similar signatures share.
//
// See man/lshkeys.1. This is the simplest of the programs and a good one to read first: it
// registers options as flags, and converts lines in a loop.
package lshkeys

import (
	"github.com/spf13/pflag"

	"doppel/pkg/flagset"

	"doppel/pkg/line"
	"doppel/pkg/line/schemes"
	"doppel/pkg/lsh"
	"doppel/pkg/method"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/stage/option"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Options say how keys are made from signatures, and whether the list of keys is split into parts.
type Options struct {
	flags.Common
	Keys    option.Keys
	Parts   int    // number of parts into which keys are split by bucket; 0 to write a single list
	Into    string // with Parts: name of the file to which the parts are written
	Explain bool   // print the S-curve of the bands and read nothing
}

// Default returns the options that apply if no flags are given.
func Default() Options { return Options{Keys: option.DefaultKeys()} }

// Command returns a new description of this program, with default options.
var Command = tool.New("lshkeys", "write keys that similar signatures share", "[FILE...]", Default)

// Flags registers the flags that set these options.
func (o *Options) Flags(fs *pflag.FlagSet) {
	o.Keys.Flags(fs)
	fs.IntVar(&o.Parts, "parts", o.Parts, "split the keys by their buckets into `N` parts (default: no)")
	fs.StringVar(&o.Into, "into", o.Into, "with --parts: write the parts to `FILE`; their sizes are written to FILE.parts")
	flags.MarkWritten(fs, "into")
	fs.BoolVar(&o.Explain, "explain", o.Explain, "print the S-curve of the bands, and read nothing; for sketches of 128 slots")
	o.Common.Flags(fs, flags.JSON|flags.Header|flags.Jobs|flags.KeepGoing|flags.Output|flags.Watch)
	flagset.Assign(fs, flagset.Output, "explain")
	flagset.Assign(fs, flagset.Machines, "parts", "into")
	flagset.AtLeast(fs, 1, "parts")
}

// Essential returns the flags that -h shows.
func (o *Options) Essential() []string {
	return []string{"threshold", "recall", "bands", "rows", "within", "explain", "output", "json", "header", "parts", "into", "jobs"}
}

// Check rejects invalid options.
func (o *Options) Check() error {
	switch {
	case o.Parts < 0 || o.Parts > maxParts:
		return tool.UsageError("--parts %d: want 1 to %d", o.Parts, maxParts)
	case (o.Parts > 0) != (o.Into != ""):
		return tool.UsageError("--parts and --into need each other")
	}
	return o.Keys.Check()
}

// maxParts is the maximum number of parts. It limits the memory for lines that are not compressed
// yet.
const maxParts = 1000

// Idle returns the flags that have no effect with these options.
func (o *Options) Idle() flags.Idle {
	i := o.Common.Idle()
	o.Keys.Idle(&i)
	i.When(o.Explain, "with --explain", "within", "json")
	return i
}

// Run writes the keys of each signature. It processes batches of lines in parallel and writes the
// keys in input order.
func (o *Options) Run(e *tool.Env, operands []string) error {
	if o.Explain {
		return o.Keys.Explain(e.Out, 128)
	}
	if err := lineio.Header(e, line.Key{}); err != nil {
		return err
	}
	if o.Parts == 0 {
		return o.write(e, operands, 1, func(_ int, text []byte) error {
			_, err := e.Out.Write(text)
			return err
		})
	}
	parts, err := e.CreateParts(o.Parts, o.Into)
	if err != nil {
		return err
	}
	return parts.Close(o.write(e, operands, o.Parts, parts.Write))
}

// write reads signatures in batches. For each batch, it calls the function out once per part, with
// the lines of the keys in this part.
func (o *Options) write(e *tool.Env, operands []string, parts int, out func(part int, text []byte) error) error {
	newWorker := func() lineio.Worker[[][]byte] {
		return &worker{keyer: method.NewAnyKeyer(o.Keys.Options), format: lineio.FormatOf(e, o.Into), parts: parts}
	}
	var guard schemes.Guard
	begun := false
	return lineio.Signatures(e, &guard, operands, newWorker, func(texts *[][]byte) error {
		if !begun && guard.Scheme != "" {
			if err := option.RefuseIdle(e, guard.Scheme); err != nil {
				return err
			}
			begun = true
		}
		for part, text := range *texts {
			if err := out(part, text); err != nil {
				return err
			}
		}
		return nil
	})
}

// A worker formats the keys of signatures, separately for each part.
type worker struct {
	keyer  *method.AnyKeyer
	format line.Format
	parts  int
	last   [][]byte // lines of the last batch; their lengths predict the lengths in the next batch
}

// Take appends a line for each key of a signature to the text of the part to which the key belongs.
func (w *worker) Take(texts *[][]byte, s line.Signature) error {
	if *texts == nil {
		*texts = make([][]byte, w.parts)
		for part, text := range w.last {
			(*texts)[part] = make([]byte, 0, len(text)+len(text)/8)
		}
		w.last = *texts
	}
	return w.keyer.Each(s, func(k line.Key) {
		part := 0
		if w.parts > 1 {
			part = lsh.PartOf(k.Bucket(), w.parts)
		}
		(*texts)[part] = k.Append((*texts)[part], w.format)
	})
}
