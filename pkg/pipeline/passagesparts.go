package pipeline

import (
	"doppel/pkg/plan"
	"doppel/pkg/stage/keepdrop"
	"doppel/pkg/stage/recsign"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// parts returns the chain by its filters: keys by shard, those that meet by part, and
// one reduce, which reads all shards, for a passage may stand in any two of them.
func (p *Passages) parts(shards []string) (*Parts, error) {
	if err := p.checkParts(); err != nil {
		return nil, err
	}
	sign, decide, apply := recsign.Default(), p.Find, keepdrop.Default()
	sign.Method, sign.Length, sign.Normalize = "passage", p.Find.Length, p.Find.Normalize
	sign.Records, apply.Records = p.Find.Records, p.Find.Records
	apply.Cut, apply.Ordered = true, true
	decide.Scan, decide.Length, decide.Normalize = false, DefaultPassages().Find.Length, ""
	for _, c := range []*flags.Common{&sign.Common, &decide.Common, &apply.Common} {
		c.Records.ID, c.Records.WithFilename = "", true
	}
	decide.Data = shards
	return &Parts{
		Command: "doppel passages", Shards: shards, N: p.Job.Parts, Spans: true,
		Sign: plan.Tool("recsign", &sign), Keys: lshkeysStage(), Decide: plan.Tool("dupspan", &decide), Apply: plan.Tool("keepdrop", &apply),
	}, nil
}

func (p *Passages) checkParts() error {
	switch {
	case p.Job.Print == plan.JSON:
		return tool.UsageError("--print=json --parts is of doppel fuzzy and doppel exact")
	case p.Find.KeepGoing:
		return notMade()
	case p.Annotate || len(p.Find.Against) > 0 || p.Apply.Removed != "" || p.Decisions != "" || p.Apply.OutputName != "" || p.Apply.To != "" || p.Find.Records.Expect > 0 || p.Report.File != "":
		return tool.UsageError("--annotate, --against, --removed, --decisions, --output, --to, --expect and --report are of one process, not of parts")
	}
	return nil
}
