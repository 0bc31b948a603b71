package pipeline

import (
	"doppel/pkg/flagset"
	"doppel/pkg/plan"
	"doppel/pkg/record"
	"doppel/pkg/stage/dupgroup"
	"doppel/pkg/stage/dupreport"
	"doppel/pkg/stage/keepdrop"
	"doppel/pkg/stage/lshpairs"
	"doppel/pkg/stage/recsign"
	"doppel/pkg/stage/recuniq"
	"doppel/pkg/text"
	"doppel/pkg/tool"
)

// audit adds the steps that remove exact duplicates and report of which record each is
// the copy.
func (x *Exact) audit(b *plan.Builder, data []string, counts *tool.Counts) {
	decisions, u := b.Scratch(""), x.Unique
	list := decisions.Path()
	b.Add(plan.Step{Stages: []plan.Stage{x.sign().On(data...), x.pair(), x.group()}, Into: decisions})
	o := PageOptions(&u.Common)
	o.Records, o.Whole = x.records(dupreport.Default().Records), x.whole()
	u.OutputName = ""
	o.Decisions = list
	x.Report.Add(b, o, data, append([]string{"doppel exact"}, u.Args()...), x.sign(), x.pair(), x.group())
	apply := keepdrop.Default()
	apply.Common, apply.Whole, apply.Removed = x.Unique.Common, x.whole(), x.Removed
	apply.Records, apply.Mem = x.records(keepdrop.Default().Records), keepdrop.Default().Mem
	b.Add(applying(applier(b, apply).Counting(counts), list, data))
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
func (x *Exact) sign() plan.Stage {
	u, o := &x.Unique, recsign.Default()
	o.Method, o.Whole, o.Key = "exact", x.whole(), u.Key
	if u.Normalize != text.None {
		o.Normalize = u.Normalize.String()
	}
	o.Records, o.Jobs, o.KeepGoing, o.Watch = x.records(o.Records), u.Jobs, u.KeepGoing, u.Watch
	o.Records.ID, o.Records.WithFilename = "", false
	return plan.Tool("recsign", &o)
}

func (x *Exact) pair() plan.Stage {
	o := lshpairs.Default()
	o.Jobs, o.Mem = x.Unique.Jobs, x.mem(o.Mem)
	return plan.Tool("lshpairs", &o)
}

func (x *Exact) group() plan.Stage {
	o := dupgroup.Default()
	o.Equal, o.Mem = true, x.mem(o.Mem)
	return plan.Tool("dupgroup", &o)
}

// mem returns what a stage may hold in memory: what it usually does, unless the user
// says.
func (x *Exact) mem(usual flagset.Size) flagset.Size {
	if given := x.Unique.Mem; given != recuniq.Default().Mem {
		return given
	}
	return usual
}
