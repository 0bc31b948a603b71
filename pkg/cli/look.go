package cli

import (
	"github.com/spf13/pflag"

	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	"doppel/pkg/stage/reccat"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// inspection holds the options of doppel inspect, which shows the first records of a dataset.
type inspection struct {
	flags.Common
	records int
}

func defaultInspection() inspection { return inspection{records: 10} }

func (i *inspection) Flags(fs *pflag.FlagSet) {
	fs.IntVarP(&i.records, "records", "n", i.records, "show at most `N` records")
	i.Common.InputFlags(fs)
}

// Run shows the first records, which are those that reccat --head would copy.
func (i *inspection) Run(e *tool.Env, operands []string) error {
	e.Jobs = 1 // a few records need no threads, and reading ahead would waste work
	opt := e.Records
	opt.NoText, opt.Torn = true, true
	rd, err := record.NewReader(e.Input(operands), opt)
	if err != nil {
		return err
	}
	sink := record.NewSink(rd, &printer{w: e.Out}, dataform.Form{Kind: "jsonl"})
	if err := reccat.Head(e, rd, int64(max(0, i.records)), sink.Keep); err != nil {
		return err
	}
	return sink.Close()
}

type count struct{ flags.Common }

func (c *count) Flags(fs *pflag.FlagSet) {
	c.Common.InputFlags(fs)
	c.Common.Flags(fs, flags.KeepGoing|flags.Watch)
}

// Run counts the records as reccat --count does.
func (c *count) Run(e *tool.Env, operands []string) error {
	o := reccat.Default()
	o.Common, o.Count = e.Common, true
	return o.Run(e, operands)
}
