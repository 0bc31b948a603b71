// Package keypairs pairs the ids of keys: those that share one.
//
// See man/keypairs.1.
package keypairs

import (
	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/stage/lines"
	"doppel/pkg/stage/option"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Options say which members of a bucket are paired.
type Options struct {
	flags.Common
	Pairing  option.Pairing
	Unsorted bool // keys come in any order
}

// Default returns the options of a run without flags.
func Default() Options {
	return Options{Common: flags.Common{Mem: 256 << 20}, Pairing: option.DefaultPairing()}
}

// Command returns the tool.
func Command() *tool.Command {
	return &tool.Command{
		Name:    "keypairs",
		Summary: "pair the ids that share a key",
		Usage:   "[FILE...]",
		Options: new(Default()),
	}
}

// Flags registers the flags.
func (o *Options) Flags(fs *pflag.FlagSet) {
	o.Pairing.Flags(fs)
	fs.BoolVar(&o.Unsorted, "unsorted", o.Unsorted, "take keys in any order")
	o.Common.Flags(fs, flags.Null|flags.JSON|flags.Header|flags.Memory|flags.KeepGoing|flags.Output|flags.Watch)
}

// Args returns the arguments that make these options of the default ones.
func (o *Options) Args() []string { return flagset.Args(o, new(Default())) }

// Idle returns the flags that do nothing.
func (o *Options) Idle() flags.Idle {
	i := o.Common.Idle()
	o.Pairing.Idle(&i)
	return i
}

// Run pairs the ids of the operands, which are keys.
func (o *Options) Run(e *tool.Env, operands []string) error {
	rd, err := lines.Open(e, operands)
	if err != nil {
		return err
	}
	c := &collector{e: e, opt: o.Pairing}
	if o.Unsorted {
		err = c.sort(rd)
	} else {
		err = tool.EachRecord(e, rd, c.line)
	}
	if err != nil {
		return err
	}
	return c.write()
}
