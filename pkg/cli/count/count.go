// Package count implements doppel count, which counts the records of a dataset.
//
// See man/doppel-count.1.
package count

import (
	"github.com/spf13/pflag"

	"doppel/pkg/stage/reccat"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Options holds the options of doppel count, which has only those for reading.
type Options struct{ flags.Common }

func (c *Options) Flags(fs *pflag.FlagSet) {
	c.Common.InputFlags(fs)
	c.Common.Flags(fs, flags.KeepGoing|flags.Watch)
}

// Run counts the records as reccat --count does.
func (c *Options) Run(e *tool.Env, operands []string) error {
	o := reccat.Default()
	o.Common, o.Count = e.Common, true
	return o.Run(e, operands)
}
