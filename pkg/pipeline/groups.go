package pipeline

import (
	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/plan"
	"doppel/pkg/stage/listgroups"
	"doppel/pkg/tool"
)

// Groups decides as Fuzzy does, and has a last stage show the groups.
type Groups struct{ near Fuzzy }

// DefaultGroups shows groups of similarity 0.8 or more.
func DefaultGroups() Groups { return Groups{DefaultFuzzy()} }

// Flags registers the flags.
func (g *Groups) Flags(fs *pflag.FlagSet) {
	g.near.Decisions(fs)
	fs.Lookup("threshold").Usage = "of records of similarity `T` or more"
	flagset.Offer(fs, &g.near.Job, "print", "verbose")
}

// Check refuses what the stages refuse.
func (g *Groups) Check() error { return g.near.Check() }

// Run runs the chain, with a last stage that shows groups as the options say.
func (g *Groups) Run(e *tool.Env, operands []string, show listgroups.Options) error {
	b := g.near.Job.Build(e)
	data := b.Reread(operands)
	d := g.near.decide(b, data)
	b.Add(plan.Step{Stages: []plan.Stage{g.near.groupsOf(data, d.list, b.Output(show.OutputName, true), show)}})
	return g.near.Job.Do(b, nil)
}

// groupsOf returns the stage that shows the groups of a list of decisions.
func (f *Fuzzy) groupsOf(data []string, list, output string, o listgroups.Options) plan.Stage {
	f.share(&o.Common)
	o.Records.ID, o.Records.WithFilename = f.Records.ID, f.Records.WithFilename
	o.List, o.OutputName, o.Ordinals = list, output, named(o.Records)
	s := plan.Tool("doppel groups", &o).Rereading().On(data...)
	s.Preset = new(listgroups.Default())
	return s
}
