// Package lshpairs pairs signatures that share a key: lshkeys, sort and keypairs in one.
//
// See man/lshpairs.1.
package lshpairs

import (
	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/stage/option"
	"doppel/pkg/stage/pairs"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Options say which signatures meet, and with what they are paired.
type Options struct {
	flags.Common
	Keys    option.Keys
	Pairing option.Pairing
	Against []string // files of signatures, or of sorted keys: only pairs with those are made
	Explain bool     // the S-curve of the bands is written, and nothing is read
}

// Default returns the options of a run without flags.
func Default() Options {
	return Options{
		Common:  flags.Common{Mem: 160 << 20},
		Keys:    option.DefaultKeys(),
		Pairing: option.DefaultPairing(),
	}
}

// Command returns the tool.
func Command() *tool.Command {
	return &tool.Command{
		Name:    "lshpairs",
		Summary: "pair similar signatures, in bounded memory",
		Usage:   "[FILE...]",
		Options: new(Default()),
	}
}

// Flags registers the flags.
func (o *Options) Flags(fs *pflag.FlagSet) {
	o.Keys.Flags(fs)
	o.Pairing.Flags(fs)
	fs.Lookup("common").Usage = "write the keys that --df ignores, or without it the 1,000 commonest, to `FILE`"
	fs.StringArrayVar(&o.Against, "against", o.Against, "pair with the signatures or sorted keys in `OLD` only; may be given again")
	fs.BoolVar(&o.Explain, "explain", o.Explain, "print the S-curve of the bands of 128 slots, and read nothing")
	o.Common.Flags(fs, flags.JSON|flags.Header|flags.Memory|flags.Jobs|flags.KeepGoing|flags.Output|flags.Watch)
}

// Args returns the arguments that make these options of the default ones.
func (o *Options) Args() []string {
	return flagset.Args(o, new(Default()))
}

// Check refuses options that mean nothing.
func (o *Options) Check() error { return o.Keys.Check() }

// Idle returns the flags that do nothing.
func (o *Options) Idle() flags.Idle {
	i := o.Common.Idle()
	o.Keys.Idle(&i)
	i.When(o.Pairing.Common == 0 && len(o.Against) > 0, "with --against, without --df", "common")
	i.When(o.Explain, "with --explain", "within", "hot", "all-pairs", "df", "common", "count", "against", "json", "mem")
	return i
}

// Run pairs the signatures of the operands.
func (o *Options) Run(e *tool.Env, operands []string) error {
	if o.Explain {
		return o.Keys.Explain(e.Out, 128)
	}
	index, err := openKeys(o.Against)
	if err != nil {
		return err
	}
	if index != nil {
		defer index.close()
		return index.lookUp(e, o, operands)
	}
	l := newLoader(e, o)
	if err := l.load(operands); err != nil {
		return err
	}
	if err := l.loadOld(o.Against); err != nil {
		return err
	}
	if l.index == nil {
		return pairs.Form{Count: o.Pairing.Count}.Header(e) // nothing to pair
	}
	return l.pairs()
}
