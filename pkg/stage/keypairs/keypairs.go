// Package keypairs pairs the ids of sorted keys: those that share a key.
//
// See man/keypairs.1.
package keypairs

import (
	"github.com/spf13/pflag"

	"doppel/pkg/lsh"
	"doppel/pkg/record"
	"doppel/pkg/stages"
	"doppel/pkg/tool"
)

// Command returns the tool.
func Command() *tool.Command {
	pairing, sharing := lsh.Pairing{}, stages.Sharing{}
	return tool.Adapt(&tool.Old{
		Name:    "keypairs",
		Summary: "pair the ids that share a key",
		Usage:   "[FILE...]",
		Shared:  tool.Null | tool.JSON | tool.KeepGoing | tool.Output | tool.Watch,
		Mem:     256 << 20,
		Flagger: func(fs *pflag.FlagSet) {
			stages.PairingFlags(fs, &pairing)
			stages.SharingFlags(fs, &pairing, &sharing)
		},
		Runner: func(e *tool.Env, args []string) error {
			rd, err := record.NewReader(e.Input(args), record.Options{Lines: true, Null: e.Null})
			if err != nil {
				return err
			}
			c := newCollector(e.Null, pairing, sharing)
			if err := tool.EachRecord(e, rd, c.line); err != nil {
				return err
			}
			return c.write(e)
		},
	})
}
