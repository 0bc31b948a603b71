// Package text implements doppel text, which finds pairs of similar text files.
//
// See man/doppel-text.1.
package text

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/msg"
	"doppel/pkg/plan"
	"doppel/pkg/stage/recsign"
	"doppel/pkg/stage/simpairs"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Options holds the options of doppel text, which finds pairs of similar text files. The pairs are the
// same as those of the Python script dedup.py.
type Options struct {
	flags.Common
	Grams int // number of characters in an n-gram
	Sign  recsign.Options
	Pair  simpairs.Options
	Alike bool        // print no pairs; the exit status reports whether the two operands are similar
	Print plan.Syntax // syntax in which to print the chain; empty to run it instead
}

// Default returns options for 32-bit signatures of character bigrams.
func Default() Options {
	t := Options{Grams: 2, Sign: recsign.Default(), Pair: simpairs.Default()}
	t.Sign.Method, t.Sign.Files, t.Sign.Zero, t.Sign.Bits = "simhash", true, true, 32
	t.Pair.Files, t.Pair.Threshold = true, 0.25
	return t
}

func (t *Options) Flags(fs *pflag.FlagSet) {
	fs.IntVarP(&t.Grams, "n-gram-size", "n", t.Grams, "compare sequences of `N` characters")
	fs.IntVarP(&t.Sign.Bits, "bits", "b", t.Sign.Bits, "make signatures of `N` bits: 32, 64 or 128")
	fs.Float64VarP(&t.Pair.Threshold, "threshold", "r", t.Pair.Threshold, "pair files if under `R` (0-1) of bits differ; R is a share, and the bits are those of the signatures")
	fs.BoolVarP(&t.Alike, "alike", "e", t.Alike, "report by the exit status whether two files are similar; write nothing")
	flagset.Offer(fs, &t.Pair, "verbose")
	t.Print.Flag(fs)
	flagset.Offer(fs, &t.Sign, "null", "jobs", "keep-going")
	flagset.Offer(fs, &t.Pair, "jobs", "keep-going", "header")
	flagset.Offer(fs, flags.Part{Common: &t.Common, Shared: flags.KeepGoing | flags.Watch})
}

// Check runs the checks of the stages. It checks --n-gram-size itself, because the error of the
// stage would name the flag --shingle.
func (t *Options) Check() error {
	if t.Grams < 1 {
		return tool.UsageError("--n-gram-size %d: want 1 or more", t.Grams)
	}
	if t.Alike && t.Pair.Header {
		return tool.UsageError("--alike writes nothing, so it cannot be used with --header")
	}
	return cmp.Or(t.Sign.Check(), t.Pair.Check())
}

// Run compares the operands, or the files named on standard input.
func (t *Options) Run(e *tool.Env, operands []string) error {
	listed := tool.ListOnStdin(operands)
	for _, name := range operands {
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			return msg.WithHint(tool.UsageError("%s: a directory: want files", name), "to compare the files in it: find -H %s -type f | doppel text", msg.Quote(name))
		}
	}
	switch {
	case t.Alike && (listed || len(operands) != 2):
		return tool.UsageError("-e: want two texts, not %d", len(operands))
	case t.Alike && filepath.Clean(operands[0]) == filepath.Clean(operands[1]):
		return tool.UsageError("%s: named twice: -e compares two texts", operands[1])
	case t.Sign.Null && !listed:
		return tool.UsageError("-0 applies only to names on standard input, not to operands")
	case len(operands) == 1 && !listed:
		return msg.WithHint(tool.UsageError("%s: only one text: want two or more", operands[0]),
			"to read a list of names from standard input: doppel text < %s", msg.Quote(operands[0]))
	}
	// Read the whole list first, because showing progress requires its length.
	if listed && t.Print == plan.None && e.Watching() {
		names, err := io.ReadAll(e.Stdin)
		if err != nil {
			return err
		}
		e.Stdin = bytes.NewReader(names)
	}
	b, pair, sign := &plan.Builder{Env: e, Print: t.Print}, t.Pair, t.Sign
	sign.Shingle = fmt.Sprintf("c%d", t.Grams)
	chain := plan.Step{Stages: []plan.Stage{plan.Tool("recsign", &sign), {Tool: "simpairs", Options: &pair, Always: []string{"threshold"}}}}
	if chain.Stdin = listed; !listed {
		chain.Stages[0].Operands = operands
	}
	if !t.Alike {
		chain.Stages = append(chain.Stages, pairNames())
	} else if t.Print != plan.None {
		chain.Stages = append(chain.Stages, plan.Tool("grep", &plan.System{Args: []string{"-q", "."}}))
	}
	b.Add(chain)
	if !t.Alike {
		return b.Do(e.Stdout)
	}
	found := &plan.Counter{W: io.Discard}
	if err := b.Do(found); err != nil || t.Print != plan.None || found.N > 0 {
		return err
	}
	return tool.Exit(tool.ExitNothing)
}

// pairNames returns a stage that writes only the two names of each pair, as cut -f1,2 does.
func pairNames() plan.Stage {
	return plan.Tool("cut", &plan.System{Args: []string{"-f1,2"}, Do: func(e *tool.Env) error {
		lines := bufio.NewScanner(e.Stdin)
		for lines.Scan() {
			columns := bytes.SplitN(lines.Bytes(), []byte{'\t'}, 3)
			e.Out.Write(bytes.Join(columns[:min(len(columns), 2)], []byte{'\t'}))
			e.Out.WriteByte('\n') // failed writes are reported when the output is closed
		}
		return lines.Err()
	}})
}
