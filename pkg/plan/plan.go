// Package plan represents the work of a doppel command as a list of steps. Each step is a pipeline
// of tools. A Builder runs a plan in this process, or prints it as shell text or JSON.
package plan

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
	"doppel/pkg/toolbox"
)

// A Plan is a sequence of steps.
type Plan []Step

// A Step is a pipeline of stages, which run at the same time.
type Step struct {
	Source *Source  // input of the first stage, or nil
	Stdin  bool     // the first stage reads standard input
	Stages []Stage  // each stage reads the output of the stage before it
	Into   *Scratch // file for the output of the last stage; if nil, it is the output of the plan
	From   *Scratch // standard input of the first stage in a printed plan; may be nil
}

// A Stage is a tool with its options and operands.
type Stage struct {
	Tool     string
	Options  tool.Options
	Operands []string
	Preset   tool.Options // default options, which are not printed; if nil, the tool's own defaults
	Always   []string     // flags printed even at their defaults
	Begin    func()       // if not nil, called at the stage's start to set options that depend on earlier steps
	counts   *tool.Counts // if not nil, receives the counts of the stage
	Reported bool         // under -k, the stage does not report bad records, because an earlier stage does
}

// Tool returns a stage that runs the named tool with the options o.
func Tool(name string, o tool.Options) Stage {
	return Stage{Tool: name, Options: o}
}

// On returns a copy of s with the given operands.
func (s Stage) On(operands ...string) Stage {
	s.Operands = operands
	return s
}

// Counting returns a copy of s that stores its counts in c when it has run.
func (s Stage) Counting(c *tool.Counts) Stage {
	s.counts = c
	return s
}

// Rereading returns a copy of s with Reported set, for a stage that reads records again.
func (s Stage) Rereading() Stage {
	s.Reported = true
	return s
}

// Args returns the arguments of the equivalent command: options that name no file, then options for
// outputs, then options for inputs, then operands. If an operand looks like an option, "--"
// precedes the operands.
func (s Stage) Args() (args []string) {
	if o, ok := s.Options.(*System); ok {
		args = o.Args
	} else {
		preset := s.Preset
		if preset == nil {
			preset = toolbox.Find(s.Tool).Options
		}
		args = flagset.Args(s.Options, preset, s.Always...)
		slices.SortStableFunc(args, func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
	}
	if slices.ContainsFunc(s.Operands, func(name string) bool { return len(name) > 1 && name[0] == '-' }) {
		args = append(args, "--")
	}
	return append(slices.Clip(args), s.Operands...)
}

// rank returns the sort rank of an argument: 1 for an output, 2 for an input, otherwise 0.
func rank(arg string) int {
	name, _, _ := strings.Cut(arg, "=")
	switch name {
	case "--removed", "--output", "--common", "--save":
		return 1
	case "--records", "--against-records", "--decisions", "--scores", "--list", "--sigs", "--against", "--without":
		return 2
	}
	return 0
}

// words returns the stage's command as a list of words. The first word is the name of the program,
// without a directory.
func (s Stage) words() []string { return append(strings.Fields(s.Tool), s.Args()...) }

// A Source is the input of the first stage of a step. A printed plan runs Command and reads its
// output; a run in this process reads the result of Open.
type Source struct {
	Command []string
	Open    func() (io.ReadCloser, error)
	Copy    func(io.Writer, io.Reader) error // copies the input in a step without stages; nil for io.Copy
}

// System holds the options of a stage that is a system command, such as cut, in a printed plan.
// Args holds the arguments of the command. When the plan runs in this process, the function Do
// replaces the command. System has no flags.
type System struct {
	flags.Common
	Args []string
	Do   func(e *tool.Env) error
}

func (*System) Flags(*pflag.FlagSet) {}

// Check accepts all arguments, because they come from a plan and not from the user.
func (*System) Check() error { return nil }

func (s *System) Run(e *tool.Env, _ []string) error { return s.Do(e) }

// A Scratch is a temporary file that one step writes and later steps read. Options and operands
// refer to it by Path.
type Scratch struct {
	Display string   // if an input was copied to the file: the input's name, for messages and ids
	File    *os.File // nil if the plan is printed
	number  int
	name    string // name of the shell variable in a printed plan
}

// mark begins and ends the placeholder for the path of a scratch file in a printed plan. It is a
// NUL, because no file name contains a NUL.
const mark = "\x00"

// Path returns the path that the stages of this process open or, if the plan is printed, a
// placeholder: the file's number, with a mark before and after it.
func (s *Scratch) Path() string {
	if s.File == nil {
		return mark + strconv.Itoa(s.number) + mark
	}
	return fmt.Sprintf("/dev/fd/%d", s.File.Fd())
}

// IsScratch reports whether path is the placeholder for a scratch file in a printed plan.
func IsScratch(path string) bool { return strings.HasPrefix(path, mark) }
