// Package lshkeys writes the keys by which similar signatures meet.
//
// See man/lshkeys.1.
package lshkeys

import (
	"github.com/spf13/pflag"

	"doppel/pkg/lsh"
	"doppel/pkg/signature"
	"doppel/pkg/stages"
	"doppel/pkg/tool"
	"doppel/pkg/tsv"
)

// Command returns the tool.
func Command() *tool.Command {
	var o lsh.Options
	var explain bool
	return tool.Adapt(&tool.Old{
		Name:    "lshkeys",
		Summary: "write the keys by which similar signatures meet",
		Usage:   "[FILE...]",
		Shared:  tool.JSON | tool.Jobs | tool.KeepGoing | tool.Output | tool.Watch,
		Flagger: func(fs *pflag.FlagSet) {
			stages.BandFlags(fs, &o)
			stages.WithinFlag(fs, &o)
			fs.BoolVar(&explain, "explain", false, "print the S-curve of the bands of 128 slots, and read nothing")
		},
		Runner: func(e *tool.Env, args []string) error {
			if err := stages.CheckBands(o); err != nil {
				return err
			}
			if explain {
				return stages.Explain(e, o, 128)
			}
			var guard signature.Guard
			return stages.Signatures(e, &guard, args, func() func(*[]byte, signature.Line) error {
				return keying(e, o)
			}, func(lines *[]byte) error {
				_, err := e.Out.Write(*lines)
				return err
			})
		},
	})
}

// keying returns the function that appends the lines of a signature's keys.
func keying(e *tool.Env, o lsh.Options) func(*[]byte, signature.Line) error {
	keyer := lsh.Cached(o)
	enc := tsv.Encoder{Stream: tsv.Keys, JSON: e.JSON}
	var keys []lsh.Key
	var word []byte
	return func(dst *[]byte, l signature.Line) (err error) {
		if keys, err = keyer.Append(keys[:0], l); err != nil {
			return err
		}
		for _, k := range keys {
			word = k.AppendText(word[:0])
			enc.Begin(*dst)
			enc.Column(word)
			enc.Column(l.ID)
			*dst = enc.End()
		}
		return nil
	}
}
