package front

import (
	"github.com/spf13/pflag"

	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	"doppel/pkg/stage/reccat"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// inspect shows the first records of a dataset.
func inspect() *tool.Command {
	return &tool.Command{
		Name:    "doppel inspect",
		Summary: "show the first records of a dataset, for people to read",
		Usage:   "[FILE...]",
		Options: &inspection{records: 10},
	}
}

// inspection says how many records are shown.
type inspection struct {
	flags.Common
	records int
}

func (i *inspection) Flags(fs *pflag.FlagSet) {
	fs.IntVarP(&i.records, "records", "n", i.records, "show at most `N` records")
	i.Common.InputFlags(fs)
}

// Run shows the records as reccat --head copies them.
func (i *inspection) Run(e *tool.Env, operands []string) error {
	e.Jobs = 1 // a few records need no threads, and nothing is read ahead
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

// count counts the records of a dataset.
func count() *tool.Command {
	return &tool.Command{
		Name:    "doppel count",
		Summary: "count the records of a dataset",
		Usage:   "[FILE...]",
		Options: &counting{},
	}
}

type counting struct{ flags.Common }

func (c *counting) Flags(fs *pflag.FlagSet) {
	c.Common.InputFlags(fs)
	c.Common.Flags(fs, flags.KeepGoing|flags.Watch)
}

// Run is reccat --count.
func (c *counting) Run(e *tool.Env, operands []string) error {
	o := reccat.Default()
	o.Common, o.Count = e.Common, true
	return o.Run(e, operands)
}
