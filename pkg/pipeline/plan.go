package pipeline

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"doppel/pkg/flagset"
	"doppel/pkg/tool"
	"doppel/pkg/toolbox"
	"doppel/pkg/wording"
)

// A Stage is a tool with its options and operands.
type Stage struct {
	tool     string
	options  tool.Options
	preset   tool.Options // the defaults, of which only differences are printed; nil: those of the tool of that name
	operands []string
	always   []string     // flags that are printed at their defaults, too
	reported bool         // under -k, an earlier stage has reported the bad records
	begin    func()       // sets the options that are known when the stage begins; or nil
	counts   *tool.Counts // where the counts of the stage go; or nil
}

// stage returns a stage without operands.
func stage(name string, o tool.Options) Stage { return Stage{tool: name, options: o} }

// on returns the stage with these operands.
func (s Stage) on(operands ...string) Stage {
	s.operands = operands
	return s
}

// counting returns the stage, which counts there.
func (s Stage) counting(c *tool.Counts) Stage {
	s.counts = c
	return s
}

// again returns the stage as one that reads records that an earlier stage has read: that
// one reports the bad ones.
func (s Stage) again() Stage {
	s.reported = true
	return s
}

// args returns the arguments of the command that does the same. An operand that looks like
// an option follows "--".
func (s Stage) args() (args []string) {
	switch o := s.options.(type) {
	case *system:
		args = o.args
	default:
		preset := s.preset
		if preset == nil {
			preset = toolbox.Find(s.tool).Options
		}
		args = flagset.Args(o, preset, s.always...)
		slices.SortStableFunc(args, func(a, b string) int { return cmp.Compare(place(a), place(b)) })
	}
	if slices.ContainsFunc(s.operands, func(name string) bool { return len(name) > 1 && name[0] == '-' }) {
		args = append(args, "--")
	}
	return append(slices.Clip(args), s.operands...)
}

// place is the place of an argument among others: outputs follow what is no file, and
// inputs follow outputs.
func place(arg string) int {
	name, _, _ := strings.Cut(arg, "=")
	switch name {
	case "--removed", "--output", "--common", "--save":
		return 1
	case "--records", "--against-records", "--decisions", "--scores", "--list", "--sigs", "--against", "--without":
		return 2
	}
	return 0
}

// program returns the words of the stage's command, of which the first is a program.
func (s Stage) program() []string { return strings.Fields(s.tool) }

// A scratch is a file without a name that one step writes and later ones read. Options and
// operands name it by its path.
type scratch struct {
	number  int
	display string   // what messages and ids call it: the input that it is a copy of; or ""
	file    *os.File // nil where the plan is printed
	name    string   // of the shell's variable, once it is printed
}

// mark begins and ends the path of a scratch file of a plan that is printed. No file has a
// NUL in its name.
const mark = "\x00"

// path returns the name by which stages of this process open the file.
func (s *scratch) path() string {
	if s.file == nil {
		return mark + strconv.Itoa(s.number) + mark
	}
	return fmt.Sprintf("/dev/fd/%d", s.file.Fd())
}

// A step is a chain of stages, each reading the output of the one before it.
type step struct {
	source *source // in front of the stages
	stdin  bool    // the first stage reads standard input; else it reads nothing
	stages []Stage
	into   *scratch // nil: the output of the whole
	beside *scratch // a second output, which a stage names; or nil
	from   *scratch // in a shell, the standard input; or nil
}

// A source is a command of the system that a shell runs in front of a step, and its
// counterpart in this process.
type source struct {
	command []string
	open    func() (io.ReadCloser, error)
}

// A Plan is steps, one after the other. It prints itself as shell text and runs itself in
// this process; both walk the same value.
type Plan []step

// shell prints plans. Its files are those of the plan, by their numbers.
type shell map[string]*scratch

// newShell names the files of a plan in the order in which they are written: t, t2, t3.
func newShell(p Plan) (shell, []string) {
	sh, names := shell{}, []string(nil)
	for _, step := range p {
		for _, s := range []*scratch{step.into, step.beside} {
			if s == nil {
				continue
			}
			s.name = "t"
			if n := len(names) + 1; n > 1 {
				s.name += strconv.Itoa(n)
			}
			sh[strconv.Itoa(s.number)], names = s, append(names, s.name)
		}
	}
	return sh, names
}

// word returns an argument as a shell must see it.
func (sh shell) word(arg string) string {
	before, number, after := cutMark(arg)
	if number == "" {
		return wording.Quote(arg)
	}
	if before != "" {
		before = wording.Quote(before)
	}
	return before + `"$` + sh[number].name + `"` + after
}

// cutMark cuts the number of a scratch file out of an argument; "": it has none.
func cutMark(arg string) (before, number, after string) {
	before, rest, _ := strings.Cut(arg, mark)
	number, after, _ = strings.Cut(rest, mark)
	return before, number, after
}

// command returns a stage as shell text.
func (sh shell) command(s Stage) string {
	name := s.program()
	return sh.words(slices.Concat(shellProgram(name[0]), name[1:], s.args()))
}

func (sh shell) words(args []string) string {
	words := make([]string, len(args))
	for i, arg := range args {
		words[i] = sh.word(arg)
	}
	return strings.Join(words, " ")
}

// step returns a step as shell text, without an end. A plain sh has no pipefail, so each
// stage of a pipe but the last notes that it failed.
func (sh shell) step(s step) (text string, piped bool) {
	var all []string
	if s.source != nil {
		all = append(all, sh.words(s.source.command))
	}
	for _, one := range s.stages {
		all = append(all, sh.command(one))
	}
	if s.from != nil {
		all[0] += ` < "$` + s.from.name + `"`
	}
	for i := range len(all) - 1 {
		all[i] = "try " + all[i]
	}
	text = strings.Join(all, " | ")
	if s.into != nil {
		text += ` > "$` + s.into.name + `"`
	}
	if len(all) > 1 {
		text += ` && test ! -s "$failed"`
	}
	return text, len(all) > 1
}

// try is the shell text of the function that runs a stage of a pipe.
const try = `try() { "$@" || echo "$1" >> "$failed"; }` + " &&\n"

// Shell returns the plan as shell text.
func (p Plan) Shell() string {
	sh, names := newShell(p)
	steps, pipes := make([]string, len(p)), ""
	for i, s := range p {
		text, piped := sh.step(s)
		if steps[i] = text; piped {
			pipes = try
		}
	}
	if pipes != "" {
		names = append(names, "failed")
	}
	files, all := "", ""
	for _, n := range names {
		files += n + "=$(mktemp) && "
		all += ` "$` + n + `"`
	}
	if all != "" {
		files += "trap 'rm -f" + all + "' EXIT &&\n"
	}
	return files + pipes + strings.Join(steps, " &&\n") + "\n"
}

// MarshalJSON returns the plan as a list of objects: the commands of a step's stages, what
// a shell runs in front of them, and the scratch files that they write, if any.
func (p Plan) MarshalJSON() ([]byte, error) {
	type object struct {
		Source []any   `json:"source,omitempty"`
		Stages [][]any `json:"stages"`
		Into   string  `json:"into,omitempty"`
		Beside string  `json:"beside,omitempty"`
		From   string  `json:"from,omitempty"`
	}
	sh, _ := newShell(p)
	steps := make([]object, len(p))
	for i, s := range p {
		to := &steps[i]
		if s.source != nil {
			to.Source = sh.json(s.source.command)
		}
		for _, one := range s.stages {
			to.Stages = append(to.Stages, sh.json(append(one.program(), one.args()...)))
		}
		if s.into != nil {
			to.Into = s.into.name
		}
		if s.beside != nil {
			to.Beside = s.beside.name
		}
		if s.from != nil {
			to.From = s.from.name
		}
	}
	return json.Marshal(steps)
}

// json returns arguments as strings, and where one ends in a scratch file as an object that
// names the file.
func (sh shell) json(args []string) (all []any) {
	for _, arg := range args {
		before, number, _ := cutMark(arg)
		if number == "" {
			all = append(all, arg)
			continue
		}
		all = append(all, struct {
			Text    string `json:"text"`
			Scratch string `json:"scratch"`
		}{before, sh[number].name})
	}
	return all
}

// MarshalJSON returns the command as a list: the name of its program, and arguments.
func (s Stage) MarshalJSON() ([]byte, error) {
	return json.Marshal(shell{}.json(append(s.program(), s.args()...)))
}
