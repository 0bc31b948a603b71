package pipeline

import (
	"slices"

	"doppel/pkg/tool"
)

// steps returns the steps of the description over some data.
func (d *description) steps(e *tool.Env, j *Job, names []string) (*steps, error) {
	s := &steps{}
	front := d.front(s)
	if !d.fuzzy {
		last, data := len(front)-1, operands(names)
		front[last] = front[last].with(d.target(j))
		front[0] = front[0].with(laterReader(data)).on(data)
		s.plan = Plan{{stdin: true, stages: front}}
		return s, nil
	}
	if err := d.near.prepare(e); err != nil {
		return nil, err
	}
	if err := d.before(s, e, front, names); err != nil {
		return nil, err
	}
	s.plan = append(s.plan, d.near.steps(s.data, nil, s.counted("fuzzy", d.near.apply().with(d.target(j))))...)
	return s, nil
}

// before adds the steps in front of the fuzzy one, and sets what that reads.
func (d *description) before(s *steps, e *tool.Env, front []Stage, names []string) (err error) {
	if len(front) == 0 {
		s.data, s.plan, err = again(e, names)
		return err
	}
	left := &scratch{of: "what the filters left"}
	data := operands(names)
	front[0] = front[0].with(laterReader(data)).on(data)
	s.plan = Plan{{stdin: true, stages: front, into: left}}
	s.data = []word{{scratch: left}}
	return nil
}

// front returns the stages through which all records run.
func (d *description) front(s *steps) (front []Stage) {
	if d.exact {
		front = append(front, s.counted("exact", stage("recuniq", plain(d.unique.Args()...))))
	}
	for _, args := range d.filterArgs() {
		front = append(front, s.counted("filters", stage("recfilter", plain(args...))))
	}
	return front
}

// filterArgs returns the arguments of the filters: one list, or two where they
// look at different fields.
func (d *description) filterArgs() (lists [][]string) {
	switch {
	case d.language && d.quality && slices.Equal(d.speaks.Records.Fields, d.reads.Records.Fields):
		both := d.speaks
		both.Quality = d.reads.Quality
		return [][]string{both.Args()}
	case d.language && d.quality:
		return [][]string{d.speaks.Args(), d.reads.Args()}
	case d.language:
		return [][]string{d.speaks.Args()}
	case d.quality:
		return [][]string{d.reads.Args()}
	}
	return nil
}

// target returns the words by which the last stage writes the output: to the file
// that is named, in the form that is asked for, or nowhere in a dry run.
func (d *description) target(j *Job) []word {
	var form []word
	if d.form != "" {
		form = plain("--to=" + d.form)
	}
	return append(form, j.target(d.output)...)
}
