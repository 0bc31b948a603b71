// Package keypairs pairs the ids that share a key.
//
// See man/keypairs.1.
package keypairs

import (
	"github.com/spf13/pflag"

	"doppel/pkg/flagset"

	"doppel/pkg/line/ids"
	"doppel/pkg/lsh"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/stage/option"
	"doppel/pkg/stage/pairs"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Options say which members of a bucket are paired.
type Options struct {
	flags.Common
	Pairing  option.Pairing
	Unsorted bool // keys may be in any order
}

// Default returns the options that apply if no flags are given.
func Default() Options {
	return Options{Common: flags.Common{Mem: 256 << 20}, Pairing: option.DefaultPairing()}
}

// Command returns a new description of this program, with default options.
var Command = tool.New("keypairs", "pair the ids that share a key", "[FILE...]", Default)

// Flags registers the flags that set these options.
func (o *Options) Flags(fs *pflag.FlagSet) {
	o.Pairing.Flags(fs)
	fs.BoolVar(&o.Unsorted, "unsorted", o.Unsorted, "accept keys in any order")
	o.Common.Flags(fs, flags.Null|flags.InParts|flags.JSON|flags.Header|flags.Memory|flags.KeepGoing|flags.Output|flags.Watch)
	flagset.Assign(fs, flagset.Input, "unsorted")
}

// Essential returns the flags that -h shows.
func (o *Options) Essential() []string {
	return []string{"hot", "all-pairs", "df", "common", "count", "unsorted", "part", "output", "json", "header", "mem", "keep-going"}
}

// Check rejects invalid options.
func (o *Options) Check() error { return o.Pairing.Check() }

// Idle returns the flags that have no effect with these options.
func (o *Options) Idle() flags.Idle {
	i := o.Common.Idle()
	o.Pairing.Idle(&i)
	return i
}

// Run pairs the ids that share a key in the operands.
func (o *Options) Run(e *tool.Env, operands []string) error {
	rd, err := lineio.Open(e, operands)
	if err != nil {
		return err
	}
	c := &collector{e: e, opt: o.Pairing}
	if o.Unsorted {
		err = c.addUnsorted(rd)
	} else {
		err = tool.EachRecord(e, rd, c.addLine)
	}
	if err != nil {
		return err
	}
	c.flush()
	c.bucket = bucket{} // free a large bucket
	names := pairs.Ranks{IDs: &c.ids.List, Order: c.ids.Order()}
	ranks := ids.Ranks(names.Order)
	sorter := lsh.NewPairSorter(c.ids.Len(), int64(e.Mem))
	err = c.pairs.Each(func(p [1]uint64) error {
		a, b := uint32(p[0]>>32), uint32(p[0])
		if ranks != nil {
			a, b = ranks[a], ranks[b]
		}
		return sorter.Add(a, b)
	})
	if err != nil {
		return err
	}
	pairs.ReportHot(e, c.opt.Skipped, nil)
	if err := pairs.ReportCommon(e, c.opt.List, c.opt.Common, c.common); err != nil {
		return err
	}
	return pairs.Write(e, sorter, names, pairs.Layout{Format: lineio.Format(e), Count: c.opt.Count})
}
