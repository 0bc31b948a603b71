// Package exact implements doppel exact, which removes exact duplicates from a dataset.
//
// See man/doppel-exact.1.
package exact

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"doppel/pkg/dedup"
	"doppel/pkg/flagset"
	"doppel/pkg/msg"
	"doppel/pkg/plan"
	"doppel/pkg/record"
	"doppel/pkg/stage/dupgroup"
	"doppel/pkg/stage/dupreport"
	"doppel/pkg/stage/keepdrop"
	"doppel/pkg/stage/lshpairs"
	"doppel/pkg/stage/option"
	"doppel/pkg/stage/recsign"
	"doppel/pkg/stage/recuniq"
	"doppel/pkg/text"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Options holds the options of doppel exact. Normally the command runs recuniq, which needs only one
// pass. If the options need more, such as another copy than the first, it runs a chain of stages instead.
type Options struct {
	flags.Common
	Unique    recuniq.Options
	Decide    dupgroup.Options // only Rank is used; it selects the copy to keep
	Decisions string           // file for the decisions, for doppel audit
	Report    dedup.Report
	Job       dedup.Job
}

// Default returns options that compare whole records.
func Default() Options {
	return Options{Unique: recuniq.Default(), Decide: dupgroup.Default(), Job: dedup.DefaultJob()}
}

// Flags registers the flags of recuniq and of the other stages, and the flags of the job.
func (x *Options) Flags(fs *pflag.FlagSet) {
	flagset.OfferExcept(fs, &x.Unique, "ordinals", "decisions", "removed", "stats")
	flagset.Offer(fs, &x.Decide, "rank")
	fs.StringVar(&x.Unique.Records.Across, "across", x.Unique.Records.Across, "compare only records that have different values at this `PATH`")
	fs.StringVar(&x.Unique.Removed, "removed", x.Unique.Removed, "write the removed records and their kept copies to `FILE`; FILE has JSON lines")
	fs.StringVar(&x.Decisions, "decisions", x.Decisions, "write the decisions to `FILE`")
	flags.MarkWritten(fs, "removed", "decisions")
	flags.MarkRead(fs, "against")
	x.Report.Flags(fs)
	flagset.Offer(fs, flags.Part{Common: &x.Common, Shared: flags.KeepGoing | flags.Watch | flags.Sync | flags.Manifest})
	x.Job.Flags(fs)
	x.Job.PartFlags(fs)
	flagset.Assign(fs, flagset.Duplicates, "across")
	flagset.Assign(fs, flagset.Evidence, "removed", "decisions")
}

// Essential returns the flags that -h shows.
func (x *Options) Essential() []string {
	return []string{"normalize", "within", "rank", "against", "field", "lines", "output", "dry-run", "removed", "report", "jobs", "save"}
}

// Check returns an error for options that recuniq or another stage would reject. If a chain of
// stages does the work, Check also rejects the options of recuniq that the stages do not support.
func (x *Options) Check() error {
	unique := x.single()
	if err := cmp.Or(unique.Check(), dedup.CheckLists(x.Unique.Save, x.Unique.Removed), dedup.CheckLists(x.Decisions, ""), x.Unique.Common.Check(),
		dedup.CheckReread("decisions", x.Decisions)); err != nil {
		return err
	}
	decide := x.group([]string{plan.Stdin}).Options.(*dupgroup.Options)
	switch err := decide.Check(); {
	case err != nil:
		return err
	case x.readsRank() && x.whole():
		return tool.UsageError("--rank %s needs --field: equal whole records have the same value", x.Decide.Rank)
	case decide.NeedsRecords() && x.Unique.Records.Lines:
		return tool.UsageError("--rank %s: records of --lines have no fields", x.Decide.Rank)
	}
	rest, preset := x.Unique, recuniq.Default()
	rest.Common, rest.Normalize, rest.Key, rest.Sizes, rest.Against = preset.Common, preset.Normalize, preset.Key, preset.Sizes, preset.Against
	rest.Removed = ""
	switch across := x.Unique.Records.Across; {
	case x.ranks() && x.Unique.Split != preset.Split:
		return tool.UsageError("--rank %s ranks whole records, so it cannot be used with --split", x.Decide.Rank)
	case across != "" && x.whole():
		return tool.UsageError("--across needs --field: equal whole records have the same value")
	case across != "" && (x.ranks() || x.Unique.Seen > 0):
		return tool.UsageError("--across keeps the first copy, so it cannot be used with --rank or --seen")
	}
	rest.Split, rest.Seen, rest.Least, rest.MinLeft = preset.Split, preset.Seen, preset.Least, preset.MinLeft
	if given := rest.Args(); x.needsChain() && !x.Unique.UsesCollection() && len(given) > 0 {
		flag := "--report"
		if x.ranks() {
			flag = "--rank"
		} else if x.Unique.Records.Across != "" {
			flag = "--across"
		} else if x.Unique.Removed != "" {
			flag = "--removed"
		} else if x.Decisions != "" {
			flag = "--decisions"
		}
		name, _, _ := strings.Cut(given[0], "=")
		return tool.UsageError("%s cannot be used with %s", flag, name)
	}
	if x.Unique.Against != "" && x.Report.File != "" {
		return msg.WithHint(tool.UsageError("--report needs the texts of old records, but --against has hashes"),
			"--removed names the old records; doppel fuzzy --against OLD.jsonl --report shows their texts")
	}
	if x.Unique.Against != "" && !x.singlePass() {
		for _, f := range [...]struct{ flag, name string }{{"against", x.Unique.Against}, {"key", x.Unique.Key}} {
			if f.name != "" && plan.ReadsOnce(f.name) {
				return tool.UsageError("--%s %s: want a file, because it is read more than once", f.flag, f.name)
			}
		}
	}
	return cmp.Or(x.checkCollection(), x.Report.Check(), x.Job.Check())
}

// Collections returns the directories of the collections, which need not exist.
func (x *Options) Collections() []string { return x.Unique.Collections() }

// checkCollection rejects options that need more than recuniq if the run uses a collection.
func (x *Options) checkCollection() error {
	if !x.Unique.UsesCollection() {
		return nil
	}
	for _, o := range [...]struct {
		flag  string
		given bool
	}{
		{"--report", x.Report.File != ""},
		{"--rank", x.ranks()}, {"--across", x.Unique.Records.Across != ""},
		{"--print", x.Job.Print != plan.None}, {"--parts", x.Job.Parts > 0},
	} {
		if o.given {
			return x.Unique.Collection.Refuse(o.flag, x.Unique.Against != "")
		}
	}
	return nil
}

func (x *Options) Idle() flags.Idle {
	u := x.Unique
	if x.namesKept() && !u.UsesCollection() {
		u.Save = "-" // any name will do: u.Idle then accepts --id, which affects the ids in the outputs
	}
	u.Common = x.Job.Results(u.Common)
	i := u.Idle()
	x.Job.Idle(&i)
	return i
}

// ranks reports whether the command may keep a copy other than the first.
func (x *Options) ranks() bool { return x.Decide.Ranks() }

// readsRank reports whether the stage that decides must read the records to rank them.
func (x *Options) readsRank() bool { return x.Decide.Needs() != dupgroup.Nothing }

// namesKept reports whether the output must name the kept copy of each duplicate.
func (x *Options) namesKept() bool {
	return x.Unique.Removed != "" || x.Decisions != "" || x.Report.File != ""
}

// needsChain reports whether the options need more than whether a text occurred before. Then a chain of
// stages makes the decisions, unless a single pass can name the kept copies.
func (x *Options) needsChain() bool {
	return x.namesKept() || !recuniq.Serves(&x.Unique.Result) || x.ranks() || x.Unique.Records.Across != ""
}

// singlePass reports whether one pass does all the work.
func (x *Options) singlePass() bool {
	return !x.ranks() && x.Unique.Records.Across == "" && x.Report.File == "" &&
		(recuniq.Serves(&x.Unique.Result) && !x.namesKept() || x.namesInOnePass() || x.Job.Dry())
}

// namesInOnePass reports whether a single pass can name the kept copy of each duplicate. A printed plan
// is the chain.
func (x *Options) namesInOnePass() bool {
	u := &x.Unique
	return u.UsesCollection() || !x.ranks() && u.Records.Across == "" && x.Report.File == "" && !x.splits() && u.Against == "" && x.Job.Print == plan.None
}

// single returns the options of recuniq for a single pass.
func (x *Options) single() recuniq.Options {
	o := x.Unique
	if !x.namesInOnePass() || x.Job.Dry() {
		o.Removed = ""
		return o
	}
	o.Decisions, o.Ordinals = x.Decisions, x.namesKept()
	return o
}

func (x *Options) Run(e *tool.Env, operands []string) error {
	if x.Job.Parts > 0 {
		return x.Job.PrintParts(e, operands, x.Unique.Tree, x.parts)
	}
	b, counts := x.Job.Build(e), tool.Counts{}
	if x.singlePass() {
		b.Fail(e.Reads(operands...))
		o := x.single()
		collected := o.UsesCollection()
		if collected {
			b.Fail(useCollection(b, &o))
		}
		o.Decisions, o.Removed = b.Output(o.Decisions, false), b.Output(o.Removed, false)
		if o.OutputName = b.Target(o.OutputName); b.Dry {
			o.Save = ""
		}
		if !collected {
			o.Save = b.Output(o.Save, false)
		}
		s := plan.Tool("recuniq", &o).On(operands...).Counting(&counts)
		b.Preflight(s, operands)
		b.Add(plan.Step{Stdin: true, Stages: []plan.Stage{s}})
	} else {
		data, u := b.Reread(operands, x.Unique.Records), x.Unique
		b.Fail(x.checkOld(e))
		chain := x.chain(data)
		if u.Against != "" {
			chain = x.against(b, chain)
		}
		list := dedup.AddDecisions(b, x.Decisions, chain...)
		o := dedup.PageOptions(&u.Common)
		o.Records, o.Whole = x.records(dupreport.Default().Records), x.whole()
		u.OutputName = ""
		o.Decisions = list
		shown := u
		shown.Removed = ""
		command := append([]string{"doppel exact"}, shown.Args()...)
		if x.ranks() {
			command = append(command, "--rank="+x.Decide.Rank)
		}
		x.Report.Add(b, o, data, command, x.chain(nil)...)
		apply := keepdrop.Default()
		apply.Common, apply.Result, apply.Whole = x.Unique.Common, u.Result, x.whole()
		apply.Records, apply.Mem = x.records(keepdrop.Default().Records), keepdrop.Default().Mem
		apply.Cut, apply.Partial = x.splits(), u.Against != ""
		dedup.AddApplying(b, dedup.ApplyStage(b, apply).Counting(&counts), list, data)
	}
	return x.Job.Do(b, x.Job.Reporting(e, &counts, nil))
}

// useCollection sets the options of recuniq for a collection.
func useCollection(b *plan.Builder, o *recuniq.Options) (err error) {
	if b.Dry {
		o.Against, _, err = o.Collection.Places(o.Against, o.Save)
		o.Save, o.Collection = "", option.Collection{}
	}
	return cmp.Or(err, o.Adopt(b.Env.Given))
}

// whole reports whether the command compares whole records instead of their texts.
func (x *Options) whole() bool {
	return len(x.Unique.Records.Fields) == 0 && !x.Unique.Records.Lines && !x.splits()
}

// splits reports whether the command cuts duplicate parts out of texts.
func (x *Options) splits() bool { return x.Unique.Split != text.Unsplit }

// records returns the read options of a stage. If the user gave no fields, it uses the fields of
// preset. It clears Within and Across, which only the signing stage needs.
func (x *Options) records(preset record.Options) record.Options {
	r := x.Unique.Records
	r.Within, r.Across = "", ""
	if len(r.Fields) == 0 {
		r.Fields = preset.Fields
	}
	return r
}

// sign returns the stage that signs the records, with ordinals as ids.
func (x *Options) sign() plan.Stage {
	u, o := &x.Unique, recsign.Default()
	o.Method, o.Whole, o.Key = "exact", x.whole(), u.Key
	o.Split, o.Least = u.Split, u.Least
	if u.Normalize != recuniq.Default().Normalize {
		o.Normalize = u.Normalize.String()
	}
	o.Records, o.Jobs, o.KeepGoing, o.Watch = x.records(o.Records), u.Jobs, u.KeepGoing, u.Watch
	o.Records.ID, o.Records.WithFilename = "", false
	o.Records.Within, o.Records.Across = u.Records.Within, u.Records.Across
	return plan.Tool("recsign", &o)
}

// chain returns the stages that decide which records to keep. The pairing stage gets the value of
// --mem only if the user gave it, because recuniq has a different default.
func (x *Options) chain(data []string) []plan.Stage {
	pair := lshpairs.Default()
	pair.Jobs = x.Unique.Jobs
	if given := x.Unique.Mem; given != recuniq.Default().Mem {
		pair.Mem = given
	}
	return []plan.Stage{x.sign().On(data...), plan.Tool("lshpairs", &pair), x.group(data)}
}

// checkOld returns an error if the file that --against names does not begin with a saved hash, or
// if the scheme of that hash is not the scheme of this run.
func (x *Options) checkOld(e *tool.Env) error {
	name := x.Unique.Against
	if name == "" {
		return nil
	}
	if err := e.Reads(name); err != nil {
		return err
	}
	if err := recuniq.CheckSums(e, name); err != nil {
		return err
	}
	scheme, err := x.sign().Options.(*recsign.Options).Scheme()
	if err != nil {
		return err
	}
	found, _, err := dedup.SchemeOf(e, name, x.records(record.Options{}))
	if err == nil && found != "" && found != scheme {
		err = msg.WithHint(fmt.Errorf("%s: the hashes have the scheme %s, but this run needs %s", name, found, scheme),
			"give --field, --lines, --normalize and --key as for the old data, or save its hashes again")
	}
	return err
}

// against adds the steps that sign the new records and pair them with the old ones. It returns the
// stage that pairs new records with each other, and the stage that decides from both lists of
// pairs.
func (x *Options) against(b *plan.Builder, chain []plan.Stage) []plan.Stage {
	fresh, held := b.Scratch(""), b.Scratch("<pairs with old records>")
	sign, pair, group := chain[0], chain[1], chain[2]
	old := *pair.Options.(*lshpairs.Options)
	old.Against = []string{x.Unique.Against}
	b.Add(plan.Step{Stages: []plan.Stage{sign}, Into: fresh})
	b.Add(plan.Step{Stages: []plan.Stage{plan.Tool("lshpairs", &old).On(fresh.Path())}, Into: held})
	group.Options.(*dupgroup.Options).Old = []string{held.Path()}
	return []plan.Stage{pair.On(fresh.Path()), group}
}

// group returns the stage that decides which records to keep. Each pair consists of a record and
// the first record equal to it, so only the components policy can keep a copy other than the first.
func (x *Options) group(data []string) plan.Stage {
	o, u := x.Decide, &x.Unique
	o.Equal, o.Seen, o.Apart = true, u.Seen, u.Records.Across != "" && !x.ranks()
	if u.Mem != recuniq.Default().Mem {
		o.Mem = u.Mem
	}
	if x.ranks() {
		o.Policy = dupgroup.Components
	}
	if x.readsRank() {
		o.Data, o.Records, o.Jobs, o.KeepGoing = data, x.records(record.Options{}), u.Jobs, u.KeepGoing
		o.Records.Fields, o.Records.ID, o.Records.WithFilename, o.Records.Expect = nil, "", false, 0
	}
	return plan.Tool("dupgroup", &o).Rereading()
}
