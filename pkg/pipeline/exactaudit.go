package pipeline

import (
	"doppel/pkg/flagset"
	"doppel/pkg/record"
	"doppel/pkg/stage/dupgroup"
	"doppel/pkg/stage/dupreport"
	"doppel/pkg/stage/keepdrop"
	"doppel/pkg/stage/lshpairs"
	"doppel/pkg/stage/recsign"
	"doppel/pkg/stage/recuniq"
	"doppel/pkg/text"
)

// audited is the plan that removes exact duplicates and tells of which record each is
// the copy.
func (x *Exact) audited(data []word, counts *scratch) Plan {
	decisions := &scratch{}
	list := []word{{scratch: decisions}}
	p := Plan{{stages: []Stage{x.sign().with(laterReader(data)).on(data), x.pair(), x.group()}, into: decisions}}
	last := x.apply().with(x.Job.target(x.Unique.OutputName), counting(counts))
	return append(append(p, x.report(data, list)...), applying(last, list, data))
}

// report returns the step that reports.
func (x *Exact) report(data, list []word) Plan {
	o, u := page(&x.Unique.Common), x.Unique
	o.Records, o.Whole = x.records(dupreport.Default().Records), x.whole()
	u.OutputName = ""
	o.Command = commandLine("doppel exact", u.Args(), data)
	o.Chain = chainOf(x.sign(), x.pair(), x.group())
	return x.Report.step(o, data, flagged("decisions", list), told(o.KeepGoing))
}

// whole reports whether records are compared, not their texts.
func (x *Exact) whole() bool {
	return len(x.Unique.Records.Fields) == 0 && !x.Unique.Records.Lines
}

// records returns how records are read, with the fields of a stage where there are
// none.
func (x *Exact) records(preset record.Options) record.Options {
	r := x.Unique.Records
	if len(r.Fields) == 0 {
		r.Fields = preset.Fields
	}
	return r
}

// sign returns the stage that signs, by ordinals.
func (x *Exact) sign() Stage {
	u, o := &x.Unique, recsign.Default()
	o.Method, o.Whole, o.Key = "exact", x.whole(), u.Key
	if u.Normalize != text.None {
		o.Normalize = u.Normalize.String()
	}
	o.Records, o.Jobs, o.KeepGoing, o.Watch = x.records(o.Records), u.Jobs, u.KeepGoing, u.Watch
	o.Records.ID, o.Records.WithFilename = "", false
	return stage("recsign", plain(o.Args()...))
}

func (x *Exact) pair() Stage {
	o := lshpairs.Default()
	o.Jobs, o.Mem = x.Unique.Jobs, x.mem(o.Mem)
	return stage("lshpairs", plain(o.Args()...))
}

func (x *Exact) group() Stage {
	o := dupgroup.Default()
	o.Equal, o.Mem = true, x.mem(o.Mem)
	return stage("dupgroup", plain(o.Args()...))
}

// mem returns what a stage may hold in memory: what it usually does, unless the user
// says.
func (x *Exact) mem(usual flagset.Size) flagset.Size {
	if given := x.Unique.Mem; given != recuniq.Default().Mem {
		return given
	}
	return usual
}

func (x *Exact) apply() Stage {
	o, preset := keepdrop.Default(), keepdrop.Default()
	o.Common, o.Whole, o.Removed = x.Unique.Common, x.whole(), x.Removed
	o.Records, o.Mem = x.records(preset.Records), preset.Mem
	return x.Job.apply(o, told(o.KeepGoing))
}
