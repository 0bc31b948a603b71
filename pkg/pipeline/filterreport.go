package pipeline

import (
	"doppel/pkg/tool"
)

// steps returns the steps that the file describes, and the one that reports. The
// filters judge twice then: to tell, and to write.
func (p *FromFile) steps(e *tool.Env, d *description, names []string) (*steps, error) {
	if p.Report.File == "" {
		return d.steps(e, &p.Job, names)
	}
	judge := *d
	judge.speaks.Apply, judge.reads.Apply = false, false
	lists := judge.filterArgs()
	if len(lists) > 1 {
		return nil, tool.UsageError("--report is of one judgement, and language and quality look at different fields")
	}
	data, copies, err := again(e, names)
	if err != nil {
		return nil, err
	}
	s, decisions := &steps{data: data}, &scratch{}
	judging := stage("recfilter", plain(lists[0]...))
	s.plan = append(copies, step{stages: []Stage{judging.with(laterReader(data)).on(data)}, into: decisions})
	s.plan = append(s.plan, p.report(d, judging, data, decisions)...)
	last := d.front(s)[0].with(d.target(&p.Job), laterReader(data), told(p.KeepGoing)).on(data)
	s.plan = append(s.plan, step{stages: []Stage{last}})
	return s, nil
}

// report returns the step that reports.
func (p *FromFile) report(d *description, judge Stage, data []word, decisions *scratch) Plan {
	o, args := page(&d.reads.Common), []string(nil)
	if !d.quality {
		o = page(&d.speaks.Common)
	}
	if p.Config != "" {
		args = []string{"--config=" + p.Config}
	}
	o.Command, o.Chain = commandLine("doppel filter", args, data), chainOf(judge)
	return p.Report.step(o, data, from("decisions", decisions), told(p.KeepGoing))
}
