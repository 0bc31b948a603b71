// Package groups shows the groups of records in a list of decisions. It implements doppel
// groups --list, and the last stage of doppel groups and doppel fuzzy --groups.
package groups

import (
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	_ "doppel/pkg/record/parquet"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Options say which groups are shown, and how much of each text.
type Options struct {
	flags.Common
	List     string // file of decisions
	Ordinals bool   // ids in the list are ordinals, even if records are shown with other ids
	Groups   int    // maximum number of groups to show; -1 for all
	Width    int    // maximum number of characters to show of each text
}

// Default returns the options that apply if no flags are given.
func Default() Options { return Options{Common: flags.OfText(), Groups: -1, Width: 60} }

// Flags registers the flags that set these options.
func (o *Options) Flags(fs *pflag.FlagSet) {
	fs.StringVar(&o.List, "list", o.List, "take the groups from the decisions in `LIST`; search for none")
	fs.BoolVar(&o.Ordinals, "ordinals", o.Ordinals, "with --list: treat its ids as ordinals over the whole input, even with --id or -H")
	flagset.Offer(fs, flags.Part{Common: &o.Common, Shared: flags.Records | flags.Jobs | flags.KeepGoing | flags.Watch})
	flagset.Offer(fs, flags.Part{Common: &o.Common, Shared: flags.JSON | flags.Header})
	fs.IntVarP(&o.Groups, "groups", "n", o.Groups, "show at most `N` groups (default: all)")
	fs.IntVar(&o.Width, "width", o.Width, "show `N` characters of each text")
	flagset.Offer(fs, flags.Part{Common: &o.Common, Shared: flags.Output})
	flagset.Assign(fs, flagset.Input, "list", "ordinals")
	flagset.Assign(fs, flagset.Output, "groups", "width")
}

// Check rejects invalid options.
func (o *Options) Check() error {
	switch {
	case o.Groups < -1:
		return tool.UsageError("--groups %d: want 0 or more", o.Groups)
	case o.Width < 0:
		return tool.UsageError("--width %d: want 0 or more", o.Width)
	case o.Ordinals && o.List == "":
		return tool.UsageError("--ordinals needs --list")
	}
	return dataform.CheckLines(o.OutputName)
}

// Run shows the groups of the decisions in o.List. The operands name the files of the records.
func (o *Options) Run(e *tool.Env, operands []string) error {
	m := &members{ordinals: o.Ordinals, width: o.Width}
	if err := lineio.Each(e, []string{o.List}, m.addDecision); err != nil {
		return err
	}
	if err := m.resolveKept(); err != nil {
		return err
	}
	rd, err := record.NewReader(e.Input(operands), e.Records)
	if err != nil {
		return err
	}
	if err := tool.EachRecord(e, rd, m.storeText); err != nil {
		return err
	}
	// A kept record may be in older data, but if a dropped record is missing, the list belongs to
	// another dataset.
	if i := slices.IndexFunc(m.all, func(one member) bool { return one.dropped && !one.found }); i >= 0 {
		if err := e.Skip(fmt.Errorf("id %q of the list is not among the records", m.ids.Append(nil, i))); err != nil {
			return err
		}
	}
	return m.write(e, o.Groups)
}
