// Package lshpairs pairs signatures that share a key: lshkeys, sort and keypairs in one.
//
// See man/lshpairs.1.
package lshpairs

import (
	"github.com/spf13/pflag"

	"doppel/pkg/lsh"
	"doppel/pkg/stages"
	"doppel/pkg/tool"
)

// options are the values of the flags.
type options struct {
	lsh     lsh.Options
	pairing lsh.Pairing
	sharing stages.Sharing
	against []string
	explain bool
}

// Command returns the tool.
func Command() *tool.Command {
	var o options
	return tool.Adapt(&tool.Old{
		Name:    "lshpairs",
		Summary: "pair similar signatures, in bounded memory",
		Usage:   "[FILE...]",
		Shared:  tool.JSON | tool.Jobs | tool.KeepGoing | tool.Output | tool.Watch,
		Mem:     256 << 20,
		Flagger: func(fs *pflag.FlagSet) {
			stages.BandFlags(fs, &o.lsh)
			stages.WithinFlag(fs, &o.lsh)
			stages.PairingFlags(fs, &o.pairing)
			stages.SharingFlags(fs, &o.pairing, &o.sharing)
			fs.StringSliceVar(&o.against, "against", nil, "pair with the signatures or sorted keys in `OLD` only")
			fs.BoolVar(&o.explain, "explain", false, "print the S-curve of the bands of 128 slots, and read nothing")
		},
		Runner: func(e *tool.Env, args []string) error {
			if err := stages.CheckBands(o.lsh); err != nil {
				return err
			}
			if o.explain {
				return stages.Explain(e, o.lsh, 128)
			}
			return run(e, &o, args)
		},
	})
}

func run(e *tool.Env, o *options, args []string) error {
	ld := &loader{e: e, opt: o.lsh}
	if len(o.against) > 0 {
		files, err := openKeys(o.against)
		if err != nil {
			return err
		}
		if files != nil {
			return lookUp(e, o, files, args)
		}
		if err := ld.load(o.against); err != nil {
			return err
		}
		ld.old()
	}
	if err := ld.load(args); err != nil {
		return err
	}
	if ld.index == nil || len(o.against) > 0 && ld.olds == 0 {
		return nil // nothing to pair
	}
	return ld.pairs(o)
}
