package plan

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"

	"doppel/pkg/msg"
	"doppel/pkg/toolbox"
)

// try is the shell text of a function that runs one stage of a pipeline and records its failure in
// the file $failed, because a plain sh has no pipefail. The script uses this function to run every
// stage of a pipeline except the last.
// After a pipeline it calls ok, which fails with status 2 if a stage has failed.
const try = `try() { "$@" || echo "$1" >> "$failed"; }` + " &&\n" + `ok() { test ! -s "$failed" || return 2; }` + " &&\n"

// Shell returns the plan as a shell script.
func (p Plan) Shell() string {
	sh, names := newShell(p)
	steps, pipes := make([]string, len(p)), ""
	for i, s := range p {
		if len(s.Stages) > 1 || s.Source != nil && len(s.Stages) > 0 {
			pipes = try
		}
		steps[i] = sh.step(s)
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

// Shell returns the stage as shell text.
func (s Stage) Shell() string { return shell{}.command(s) }

// A shell formats a plan as a shell script. It maps the numbers of scratch files to the files.
type shell map[string]*Scratch

// newShell names the scratch files of a plan in the order in which they are written: t, t2, t3.
func newShell(p Plan) (shell, []string) {
	sh, names := shell{}, []string(nil)
	for _, step := range p {
		s := step.Into
		if s == nil {
			continue
		}
		s.name = "t"
		if n := len(names) + 1; n > 1 {
			s.name += strconv.Itoa(n)
		}
		sh[strconv.Itoa(s.number)], names = s, append(names, s.name)
	}
	return sh, names
}

// step returns a step as shell text, without a final && or line feed.
func (sh shell) step(s Step) string {
	var all []string
	if s.Source != nil {
		all = append(all, sh.line(s.Source.Command))
	}
	for _, one := range s.Stages {
		all = append(all, sh.command(one))
	}
	if s.From != nil {
		all[0] += ` < "$` + s.From.name + `"`
	}
	for i := range len(all) - 1 {
		all[i] = "try " + all[i]
	}
	text := strings.Join(all, " | ")
	if s.Into != nil {
		text += ` > "$` + s.Into.name + `"`
	}
	if len(all) > 1 {
		text += " && ok"
	}
	return text
}

func (sh shell) command(s Stage) string {
	words := strings.Fields(s.Tool)
	return sh.line(slices.Concat(programInShell(words[0]), words[1:], s.Args()))
}

// line returns arguments quoted for a shell, with a variable in place of each scratch file.
func (sh shell) line(args []string) string {
	words := make([]string, len(args))
	for i, arg := range args {
		before, number, after := cutMark(arg)
		switch {
		case number == "":
			words[i] = msg.Quote(arg)
		case before == "":
			words[i] = `"$` + sh[number].name + `"` + after
		default:
			words[i] = msg.Quote(before) + `"$` + sh[number].name + `"` + after
		}
	}
	return strings.Join(words, " ")
}

// cutMark splits an argument at the placeholder for a scratch file. It returns the text before the
// placeholder, the number in the placeholder, and the text after it. Without a placeholder, the
// number is "".
func cutMark(arg string) (before, number, after string) {
	before, rest, _ := strings.Cut(arg, mark)
	number, after, _ = strings.Cut(rest, mark)
	return before, number, after
}

// MarshalJSON returns the plan as a list of objects, one per step. Each object contains the
// commands of the step's stages and, if the step has them, the command whose output the first stage
// reads and the names of the scratch files.
func (p Plan) MarshalJSON() ([]byte, error) {
	type object struct {
		Source []any   `json:"source,omitempty"`
		Stages [][]any `json:"stages"`
		Into   string  `json:"into,omitempty"`
		From   string  `json:"from,omitempty"`
	}
	sh, _ := newShell(p)
	name := func(s *Scratch) string {
		if s == nil {
			return ""
		}
		return s.name
	}
	steps := make([]object, len(p))
	for i, s := range p {
		steps[i] = object{Into: name(s.Into), From: name(s.From)}
		if s.Source != nil {
			steps[i].Source = sh.list(s.Source.Command)
		}
		for _, one := range s.Stages {
			steps[i].Stages = append(steps[i].Stages, sh.list(one.words()))
		}
	}
	return json.Marshal(steps)
}

// MarshalJSON returns the command as a list: the name of the program and its arguments.
func (s Stage) MarshalJSON() ([]byte, error) { return json.Marshal(shell{}.list(s.words())) }

// list returns arguments as strings, except that an argument that ends in the path of a scratch
// file becomes an object that names the file.
func (sh shell) list(args []string) (all []any) {
	type inScratch struct {
		Text    string `json:"text"`
		Scratch string `json:"scratch"`
	}
	for _, arg := range args {
		if before, number, _ := cutMark(arg); number != "" {
			all = append(all, inScratch{before, sh[number].name})
		} else {
			all = append(all, arg)
		}
	}
	return all
}

// programInShell returns the command that runs a tool, as msg.Program does, and for another name the
// name.
func programInShell(name string) []string {
	if toolbox.Find(name) == nil && name != front {
		return []string{name}
	}
	return msg.Program(name)
}

// front is the name of the program whose commands make plans.
const front = "doppel"

// A Syntax is the format in which a command prints its plan instead of running it. *Syntax is a
// pflag.Value.
type Syntax string

// These are the values of Syntax. The flag --print without a value means Shell.
const (
	None     Syntax = "" // run the plan instead of printing it
	Shell    Syntax = "sh"
	JSON     Syntax = "json"     // for programs that run the stages themselves
	Make     Syntax = "make"     // a makefile for many machines
	Parallel Syntax = "parallel" // a script for GNU parallel, for many machines
)

func (f *Syntax) Set(s string) error {
	if !slices.Contains([]Syntax{Shell, JSON, Make, Parallel}, Syntax(s)) {
		return fmt.Errorf("invalid form %q: want sh, json, make or parallel", s)
	}
	*f = Syntax(s)
	return nil
}

// InParts reports whether f applies only to runs in parts.
func (f Syntax) InParts() bool { return f == Make || f == Parallel }

func (f *Syntax) String() string { return string(*f) }

// Type returns the placeholder for the value in help texts. It is empty because the value is
// optional.
func (f *Syntax) Type() string { return "" }

// Flag registers the flag --print, which sets f.
func (f *Syntax) Flag(fs *pflag.FlagSet) {
	fs.Var(f, "print", "print the run as shell commands, and do not run them; another form can be named (--print=json, make or parallel)")
	fs.Lookup("print").NoOptDefVal = string(Shell)
	flagset.Assign(fs, flagset.Machines, "print")
}
