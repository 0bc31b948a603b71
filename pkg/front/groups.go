package front

import (
	"bufio"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/pipeline"
	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// groupsOptions says which decisions are shown, and how much of the records.
type groupsOptions struct {
	flags.Common
	chain    pipeline.Groups
	output   flags.Common // its output: under --print that of the last stage
	list     string       // decisions that were made before
	ordinals bool         // their ids are ordinals, whatever is shown
	most     int          // groups that are shown; -1: all
	width    int          // characters of a text
}

func defaultGroups() groupsOptions {
	return groupsOptions{Common: ofText(), chain: pipeline.DefaultGroups(), most: -1, width: 60}
}

// Flags registers the flags.
func (g *groupsOptions) Flags(fs *pflag.FlagSet) {
	g.chain.Flags(fs)
	fs.StringVar(&g.list, "list", g.list, "show what the decisions in `LIST` say, and decide nothing")
	fs.BoolVar(&g.ordinals, "ordinals", g.ordinals, "the ids of the list are ordinals over the whole input, whatever --id and -H say")
	flagset.Offer(fs, showOptions{g})
	flagset.Offer(fs, flags.Part{Common: &g.Common, Shared: flags.Records | flags.Jobs | flags.KeepGoing | flags.Watch})
	flagset.Offer(fs, flags.Part{Common: &g.output, Shared: flags.Output})
}

// Check refuses what means nothing.
func (g *groupsOptions) Check() error {
	switch {
	case g.most < -1:
		return tool.UsageError("--groups %d: want 0 or more", g.most)
	case g.width < 0:
		return tool.UsageError("--width %d: want 0 or more", g.width)
	case g.ordinals && g.list == "":
		return tool.UsageError("--ordinals is of a --list")
	}
	if err := dataform.CheckLines(g.output.OutputName); err != nil {
		return err
	}
	return g.chain.Check()
}

// Run decides, or shows what is decided.
func (g *groupsOptions) Run(e *tool.Env, operands []string) error {
	if g.list == "" {
		preset := defaultGroups()
		return g.chain.Run(e, operands, flagset.Args(showOptions{g}, showOptions{&preset}), g.output.OutputName)
	}
	m := &members{ordinals: g.ordinals, width: g.width}
	if err := m.read(e, g.list); err != nil {
		return err
	}
	rd, err := record.NewReader(e.Input(operands), e.Records)
	if err != nil {
		return err
	}
	if err := tool.EachRecord(e, rd, m.record); err != nil {
		return err
	}
	if err := e.Skip(m.unmet()); err != nil {
		return err
	}
	out, err := g.open(e)
	if err != nil {
		return err
	}
	return m.write(e, out, g.most)
}

// open returns what the groups are written to.
func (g *groupsOptions) open(e *tool.Env) (*bufio.Writer, error) {
	if name := g.output.OutputName; name != "" && name != "-" {
		return e.Create(name)
	}
	return e.Out, nil
}

// showOptions are the options that change how groups are shown: by this run, or by the one
// that shows what this one decides.
type showOptions struct{ *groupsOptions }

// Flags registers them.
func (s showOptions) Flags(fs *pflag.FlagSet) {
	s.Common.Flags(fs, flags.JSON|flags.Header)
	fs.IntVarP(&s.most, "groups", "n", s.most, "show at most `N` groups")
	fs.IntVar(&s.width, "width", s.width, "show `N` characters of each text")
}
