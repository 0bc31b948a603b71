// Package inspect implements doppel inspect, which shows the first records of a dataset in readable
// form.
//
// See man/doppel-inspect.1.
package inspect

import (
	"github.com/spf13/pflag"

	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	"doppel/pkg/record/write"
	"doppel/pkg/stage/reccat"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Options holds the options of doppel inspect, which shows the first records of a dataset.
type Options struct {
	flags.Common
	records int
}

// Default returns options that show ten records.
func Default() Options { return Options{records: 10} }

func (i *Options) Flags(fs *pflag.FlagSet) {
	fs.IntVarP(&i.records, "records", "n", i.records, "show at most `N` records")
	i.Common.InputFlags(fs)
}

// Run shows the first records, which are those that reccat --head would copy.
func (i *Options) Run(e *tool.Env, operands []string) error {
	e.Jobs = 1 // a few records need no threads, and reading ahead would waste work
	opt := e.Records
	opt.NoText, opt.Torn = true, true
	rd, err := record.NewReader(e.Input(operands), opt)
	if err != nil {
		return err
	}
	sink := write.New(rd, &printer{w: e.Out}, dataform.Form{Kind: dataform.JSONLines}, nil)
	if err := reccat.Head(e, rd, int64(max(0, i.records)), sink.Keep); err != nil {
		return err
	}
	return sink.Close()
}
