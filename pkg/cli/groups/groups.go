// Package groups implements doppel groups, which lists groups of similar records.
//
// See man/doppel-groups.1.
package groups

import (
	"cmp"
	"slices"

	"github.com/spf13/pflag"

	"doppel/pkg/dedup"
	"doppel/pkg/flagset"
	"doppel/pkg/stage/groups"
	"doppel/pkg/stage/option"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Options holds the options of doppel groups, which lists groups of similar records. The
// command runs a chain to find the groups, or reads them from the decisions of an earlier run.
type Options struct {
	flags.Common
	chain dedup.Near
	show  groups.Options
}

// Default returns options that group as doppel fuzzy does by default.
func Default() Options {
	return Options{Common: flags.OfText(), chain: dedup.DefaultNear(), show: groups.Default()}
}

// Flags registers the flags of the chain and of the last stage, which lists the groups. The output
// flags belong to the last stage.
func (g *Options) Flags(fs *pflag.FlagSet) {
	g.chain.Decisions(fs)
	option.ValueFlags(fs, &g.chain.Records)
	fs.Lookup("threshold").Usage = "group records `T` or more similar, 0 to 1 (default 0.8); T is more than 0"
	flagset.Offer(fs, &g.chain.Job, "print", "verbose")
	flagset.Offer(fs, &g.show, "list", "ordinals", "json", "header", "groups", "width")
	flagset.Offer(fs, &g.show, append([]string{"jobs", "keep-going", "progress", "no-progress"}, flags.RecordFlags...)...)
	flagset.Offer(fs, flags.Part{Common: &g.Common, Shared: flags.Records | flags.Jobs | flags.KeepGoing | flags.Watch | flags.Sync})
	flagset.Offer(fs, &g.show, "output")
}

// Essential returns the flags that -h shows.
func (g *Options) Essential() []string {
	return []string{"threshold", "normalize", "policy", "rank", "field", "lines", "list", "missing", "groups", "output", "json", "jobs"}
}

// Idle returns the flags that have no effect: with --list no chain runs, and the list decides.
func (g *Options) Idle() flags.Idle {
	if g.show.List == "" {
		return append(g.Common.Idle(), g.chain.IdleDeciding()...)
	}
	i := g.show.Idle()
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	g.chain.Decisions(fs)
	i.When(true, "with --list", "print", "verbose", "within", "across", "mem")
	fs.VisitAll(func(f *pflag.Flag) {
		if !slices.Contains(flags.RecordFlags, f.Name) && !slices.Contains([]string{"jobs", "keep-going", "no-sync", "progress", "no-progress"}, f.Name) {
			i.When(true, "with --list", f.Name)
		}
	})
	return i
}

func (g *Options) Check() error { return cmp.Or(g.show.Check(), g.chain.Check()) }

// Run runs the chain and lists the groups in its decisions. With --list, it lists the groups in
// existing decisions instead.
func (g *Options) Run(e *tool.Env, operands []string) error {
	if g.show.List == "" {
		return g.chain.ListGroups(e, operands, g.show)
	}
	e.JSON, e.Header = g.show.JSON, g.show.Header
	if name := g.show.OutputName; name != "" && name != "-" {
		out, err := e.Create(name)
		if err != nil {
			return err
		}
		e.Out = out
	}
	return g.show.Run(e, operands)
}
