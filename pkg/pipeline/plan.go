package pipeline

import (
	"io"
	"slices"
	"strconv"
	"strings"
)

// A step is a chain of stages, each reading what the one before it writes.
type step struct {
	source *source // in front of the stages
	stdin  bool    // the first stage reads standard input; else it reads nothing
	stages []Stage
	into   *scratch // nil: the output of the whole
	beside *scratch // what a stage writes by its name, or nil
}

// A source is what a shell runs in front of a step, and this process does itself.
type source struct {
	Stage
	open func() (io.ReadCloser, error)
}

// A Plan is steps, one after the other. It prints itself as shell text and runs
// itself as processes; both walk the same value.
type Plan []step

// scratches returns the files that the steps write, in that order.
func (p Plan) scratches() (all []*scratch) {
	for _, step := range p {
		for _, one := range []*scratch{step.into, step.beside} {
			if one != nil {
				all = append(all, one)
			}
		}
	}
	return all
}

// Shell returns the plan as shell text. A plain sh has no pipefail, so each stage of
// a pipe but the last notes that it failed, and nothing is done after that.
func (p Plan) Shell() string {
	text, names := "", name(p.scratches())
	if p.piped() {
		names, text = append(names, failed), try
	}
	if len(names) > 0 {
		text = temporary(names) + text
	}
	all := make([]string, len(p))
	for i, step := range p {
		all[i] = step.shell()
	}
	return text + strings.Join(all, " &&\n") + "\n"
}

// failed is the shell's variable that names what the stages of pipes note their
// failure in.
const failed = "failed"

// try is the shell text of the function that runs such a stage.
const try = `try() { "$@" || echo "$1" >> "$failed"; }` + " &&\n"

// piped reports whether some step is a pipe.
func (p Plan) piped() bool {
	return slices.ContainsFunc(p, func(s step) bool { return len(s.commands()) > 1 })
}

// name names the files that a shell needs: t, t2, t3.
func name(all []*scratch) (names []string) {
	for _, s := range all {
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

// commands returns what the shell runs.
func (s step) commands() (all []string) {
	if s.source != nil {
		all = append(all, s.source.shell())
	}
	for _, one := range s.stages {
		all = append(all, one.shell())
	}
	return all
}

// shell returns the step as shell text, without an end.
func (s step) shell() string {
	all := s.commands()
	for i := range len(all) - 1 {
		all[i] = "try " + all[i]
	}
	text := strings.Join(all, " | ")
	if s.into != nil {
		text += ` > "$` + s.into.name + `"`
	}
	if len(all) > 1 {
		text += " && test ! -s \"$" + failed + `"`
	}
	return text
}
