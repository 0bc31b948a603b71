// Package dupreview shows pairs of records to a person, who decides on each pair by pressing a key.
//
// See man/dupreview.1.
package dupreview

import (
	"io"
	"math"
	"os"
	"slices"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/msg"
	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	_ "doppel/pkg/record/parquet"
	"doppel/pkg/review"
	"doppel/pkg/review/textstore"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Options say which pairs are shown, in which order, and where decisions are written.
type Options struct {
	flags.Common
	Data   []string // files of the records that the pairs name
	Near   float64  // show the pairs with scores nearest to this value first; negative for input order
	Output string   // file to which decisions are appended; "" or "-" for standard output
	Keys   string   // keys to act on; "" to read keys from the terminal
}

// inputOrder is the value of Near that shows pairs in input order.
const inputOrder = -1

// Default returns the options that apply if no flags are given.
func Default() Options {
	o := Options{Common: flags.OfText(), Near: inputOrder}
	o.Watch.Never = true // show no progress, because the review uses the whole screen
	return o
}

// Command returns a new description of this program, with default options.
var Command = tool.New("dupreview", "show pairs of records side by side, and record a decision for each", "[PAIRS]", Default)

// Flags registers the flags that set these options.
func (o *Options) Flags(fs *pflag.FlagSet) {
	fs.StringArrayVar(&o.Data, "records", o.Data, "read the records from `FILE`; may be repeated")
	fs.Float64Var(&o.Near, "near", o.Near, "begin with pairs near the score `CUT` (default -1: as read); also show the precision of the decisions")
	fs.StringVarP(&o.Output, "output", "o", o.Output, "append each decision to `FILE` immediately; an existing file is continued")
	fs.StringVar(&o.Keys, "keys", o.Keys, "act on `KEYS` instead of keys from a terminal")
	o.Common.Flags(fs, flags.Records)
	flagset.Assign(fs, flagset.Input, "records", "near", "keys")
	flagset.AtLeast(fs, -1, "near")
	flagset.Assign(fs, flagset.Output, "output")
}

// Essential returns the flags that -h shows.
func (o *Options) Essential() []string {
	return []string{"records", "near", "field", "id", "lines", "csv", "output", "keys"}
}

// Check returns an error for invalid options.
func (o *Options) Check() error {
	switch {
	case len(o.Data) == 0:
		return tool.UsageError("--records FILE is required; FILE must contain the records of the pairs")
	case o.Near != inputOrder && !(0 <= o.Near && !math.IsInf(o.Near, 0)):
		return tool.UsageError("--near %v: want a score of 0 or more", o.Near)
	case slices.Contains(o.Data, "-"):
		return tool.UsageError("--records -: want a file, because it is read more than once")
	case dataform.KindOf(o.Output).Lines:
		return tool.UsageError("-o %s: the list is not JSON lines: want another name, such as .tsv", o.Output)
	}
	return nil
}

// Run shows the pairs in the operand, or on standard input, and writes the decisions.
func (o *Options) Run(e *tool.Env, operands []string) error {
	pairs, err := o.open(e, operands)
	if err != nil {
		return err
	}
	out, err := o.openOutput(e)
	if err != nil {
		return err
	}
	list, store := review.NewList(), textstore.New(o.Data, e.Records)
	defer list.Close()
	defer store.Close()
	s := &review.Session{List: list, Ledger: out.ledger, Cut: o.Near, HasCut: o.Near >= 0}
	go func() { list.End(read(pairs, list)) }()
	go store.Read()
	if o.Keys != "" {
		err = o.pressKeys(s, store, out)
	} else {
		err = o.runScreen(s, store, out)
	}
	if err != nil {
		return err
	}
	return out.finish(e, list.Status())
}

// open checks that the files of records can be opened, and returns a reader of the pairs.
func (o *Options) open(e *tool.Env, operands []string) (*record.Reader, error) {
	if err := e.Reads(o.Data...); err != nil {
		return nil, err
	}
	for _, name := range o.Data {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		f.Close()
	}
	switch { // pairs cannot be read from the terminal, which is used for the keys
	case len(operands) > 1:
		return nil, tool.UsageError("want one file of pairs, or standard input")
	case (len(operands) == 0 || operands[0] == "-") && e.Typed():
		return nil, msg.WithHint(tool.UsageError("want pairs on standard input, or in a file"), "the terminal is read for keys, so it cannot be read for pairs")
	}
	return lineio.Open(e, operands)
}

// read reads all pairs and adds them to the list.
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
