package pipeline

import (
	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/stage/keepdrop"
	"doppel/pkg/tool"
)

// Groups decides as Fuzzy does, and has a last stage show what is alike.
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

// Run runs the chain, with a last stage that has these arguments and writes there.
func (g *Groups) Run(e *tool.Env, operands, show []string, output string) error {
	data, copies, err := again(e, operands)
	if err != nil {
		return err
	}
	d := g.near.decided(data, nil)
	last := g.near.grouped(data, d.list, append(plain(show...), into("output", output)...))
	return g.near.Job.do(e, task{plan: append(append(copies, d.plan...), last), data: data})
}

// grouped returns the step that shows what is decided of.
func (f *Fuzzy) grouped(data, list, show []word) step {
	o := keepdrop.Default()
	o.Records, o.Jobs, o.KeepGoing = f.Apply.Records, f.Apply.Jobs, f.Apply.KeepGoing
	o.Ordinals = named(o.Records)
	s := stage("doppel", plain("groups"), plain(o.Args()...), f.told(), show, flagged("list", list), laterReader(data))
	return step{stages: []Stage{s.on(data)}}
}
