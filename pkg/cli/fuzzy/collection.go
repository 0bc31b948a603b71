package fuzzy

import (
	"cmp"
	"strings"

	"doppel/pkg/collection"
	"doppel/pkg/flagset"
	"doppel/pkg/plan"
	"doppel/pkg/stage/option"
	"doppel/pkg/stage/recsieve"
	"doppel/pkg/tool"
)

// usesCollection reports whether the run compares records with a collection, or adds records to one.
func (f *Options) usesCollection() bool {
	o := &f.Old
	for _, name := range o.Against {
		if collection.Is(name) {
			return true
		}
	}
	return o.Collection.Index != "" || o.Save != "" && option.IsCollection(o.Save)
}

// Collections returns the directories of the collections, which need not exist.
func (f *Options) Collections() (dirs []string) {
	if !f.usesCollection() {
		return nil
	}
	return f.Old.Collection.Dirs(f.against(), f.Old.Save)
}

// checkCollection rejects options that cannot be used with a collection, because recsieve does not
// have them.
func (f *Options) checkCollection() error {
	if !f.usesCollection() {
		return nil
	}
	rest, preset := *f, Default()
	rest.Common, rest.Pair.Keys, rest.Pair.Pairing.Hot, rest.Text = preset.Common, preset.Pair.Keys, preset.Pair.Pairing.Hot, preset.Text
	rest.Records.Within, rest.Records.Across = f.Records.Within, f.Records.Across
	rest.Sign = preset.Sign
	rest.Sign.Split, rest.Sign.Least = f.Sign.Split, f.Sign.Least
	rest.Apply.Destination, rest.Apply.Removed, rest.Evidence.Decisions = preset.Apply.Destination, "", ""
	rest.Old.Against, rest.Old.Save, rest.Old.Only, rest.Old.Collection = nil, "", false, preset.Old.Collection
	rest.Job.DryRun, rest.Job.Verbose, rest.Job.Stats = preset.Job.DryRun, preset.Job.Verbose, preset.Job.Stats
	if given := flagset.Args(&rest, &preset); len(given) > 0 {
		name, _, _ := strings.Cut(given[0], "=")
		return f.Old.Collection.Refuse(name, f.against() != "")
	}
	o := &f.Old
	if _, _, err := o.Collection.Places(f.against(), o.Save); err != nil {
		return err
	}
	if len(o.Against) > 1 {
		return tool.UsageError("--against %s: a collection can only be the only one", o.Against[1])
	}
	return o.Collection.CheckBoth(f.against(), o.Save)
}

// against returns the collection that --against names, or "".
func (f *Options) against() string {
	if len(f.Old.Against) == 0 {
		return ""
	}
	return f.Old.Against[0]
}

// useCollection sets the options of recsieve for a collection.
func (f *Options) useCollection(b *plan.Builder, o *recsieve.Options) error {
	o.Collection, o.Only = f.Old.Collection, f.Old.Only
	if b.Env.Given("hot") {
		o.Hot = f.Pair.Pairing.Hot
	}
	o.Against, o.Save = f.against(), f.Old.Save
	var err error
	if b.Dry {
		o.Against, _, err = o.Collection.Places(o.Against, o.Save)
		o.Save, o.Collection = "", option.Collection{Estimate: o.Collection.Estimate && o.Against != ""}
	}
	return cmp.Or(err, o.Adopt(b.Env.Given))
}
