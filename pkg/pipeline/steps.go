package pipeline

import (
	"slices"

	"doppel/pkg/chain"
	"doppel/pkg/record"
	"doppel/pkg/tool"
)

// steps returns the steps of the description over some data.
func (d *description) steps(e *tool.Env, operands []string) (*steps, error) {
	s := &steps{}
	front := d.front(s)
	if !d.fuzzy {
		front[0] = front[0].on(plain(operands...))
		s.plan = Plan{{stdin: true, stages: front}}
		return s, nil
	}
	if err := d.before(s, e, front, operands); err != nil {
		return nil, err
	}
	s.plan = append(s.plan, d.near.steps(s.data, nil, s.counted("fuzzy", d.near.apply()))...)
	return s, nil
}

// before adds the steps in front of the fuzzy one, and sets what that reads.
func (d *description) before(s *steps, e *tool.Env, front []Stage, operands []string) (err error) {
	if len(front) == 0 {
		s.data, s.plan, err = again(e, operands)
		return err
	}
	left := &Scratch{of: "what the filters left"}
	front[0] = front[0].on(plain(operands...))
	s.plan = Plan{{stdin: true, stages: front, into: left}}
	s.data = []Word{{scratch: left}}
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

// tail is the shell text that writes the output, by the programs that compress
// as doppel itself does.
func (d *description) tail() (text string) {
	how := d.compression
	if how == record.Plain {
		how = record.CompressionOf(d.output)
	}
	switch how {
	case record.Gzip:
		text = " | gzip -c"
	case record.Zstd:
		text = " | zstd -qc"
	}
	if d.output != "" {
		text += " > " + chain.Quote(d.output)
	}
	return text
}
