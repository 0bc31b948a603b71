package pipeline

import (
	"io"
	"strconv"
	"strings"
)

// A Step is a chain of stages, each reading what the one before it writes.
type Step struct {
	source *source // in front of the stages
	stdin  bool    // the first stage reads standard input; else it reads nothing
	stages []Stage
	into   *Scratch // nil: the output of the whole
}

// A source is what a shell runs in front of a step, and this process does itself.
type source struct {
	Stage
	open func() (io.ReadCloser, error)
}

// A Plan is steps, one after the other. It prints itself as shell text and runs
// itself as processes; both walk the same value.
type Plan []Step

// scratches returns the files that the steps write, in that order.
func (p Plan) scratches() (all []*Scratch) {
	for _, step := range p {
		if step.into != nil {
			all = append(all, step.into)
		}
	}
	return all
}

// Shell returns the plan as shell text.
func (p Plan) Shell() string {
	var b strings.Builder
	if named := name(p.scratches()); len(named) > 0 {
		b.WriteString(temporary(named))
	}
	for _, step := range p {
		b.WriteString(step.shell())
	}
	return b.String()
}

// name names the files that a shell needs: t, t2, t3.
func name(all []*Scratch) (names []string) {
	for _, s := range all {
		if s.held {
			continue
		}
		s.name = "t"
		if n := len(names) + 1; n > 1 {
			s.name += strconv.Itoa(n)
		}
		names = append(names, s.name)
	}
	return names
}

// temporary returns the shell text that makes files and removes them at the end.
func temporary(names []string) string {
	text, all := "", ""
	for _, n := range names {
		text += n + "=$(mktemp) && "
		all += ` "$` + n + `"`
	}
	return text + "trap 'rm -f" + all + "' EXIT &&\n"
}

func (s Step) shell() string {
	var stages []string
	if s.source != nil {
		stages = append(stages, s.source.shell())
	}
	for _, one := range s.stages {
		stages = append(stages, one.shell())
	}
	text := strings.Join(stages, " | ")
	switch {
	case s.into == nil:
		return text + "\n"
	case s.into.held:
		return text + " | "
	}
	return text + ` > "$` + s.into.name + `" &&` + "\n"
}
