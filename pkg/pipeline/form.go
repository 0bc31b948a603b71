package pipeline

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"doppel/pkg/tool"
)

// A form says how a plan is printed instead of run: "" is not at all, "sh" as
// shell text, "json" for programs that run its stages themselves, "make" and
// "parallel" for many machines. It is a pflag.Value, and "sh" what the flag means
// without a value.
type form string

const (
	shellForm    form = "sh"
	jsonForm     form = "json"
	makeForm     form = "make"
	parallelForm form = "parallel"
)

// Set sets the form.
func (f *form) Set(s string) error {
	if !slices.Contains([]form{shellForm, jsonForm, makeForm, parallelForm}, form(s)) {
		return fmt.Errorf("want sh, json, make or parallel, not %q", s)
	}
	*f = form(s)
	return nil
}

// inParts reports whether the form is one for parts of the data.
func (f form) inParts() bool { return f == makeForm || f == parallelForm }

func (f *form) String() string { return string(*f) }

// Type names the value in help: none, for it may be left out.
func (f *form) Type() string { return "" }

// flag registers --print.
func (f *form) flag(fs *pflag.FlagSet) {
	fs.Var(f, "print", "print the chain as shell text, or by --print=json, make or parallel in that form, and run nothing")
	fs.Lookup("print").NoOptDefVal = string(shellForm)
}

// print writes a plan.
func (f form) print(e *tool.Env, p Plan) error {
	if f == shellForm {
		_, err := e.Out.WriteString(p.Shell())
		return err
	}
	name(p.scratches())
	return json.NewEncoder(e.Out).Encode(map[string]Plan{"steps": p})
}

// MarshalJSON returns the step as an object: the commands of its stages, what a
// shell runs in front of them, and the scratch files that they write, if any: all to one,
// and a stage by its name to one beside.
func (s step) MarshalJSON() ([]byte, error) {
	object := struct {
		Source *Stage  `json:"source,omitempty"`
		Stages []Stage `json:"stages"`
		Into   string  `json:"into,omitempty"`
		Beside string  `json:"beside,omitempty"`
	}{Stages: s.stages}
	if s.source != nil {
		object.Source = &s.source.Stage
	}
	if s.into != nil {
		object.Into = s.into.name
	}
	if s.beside != nil {
		object.Beside = s.beside.name
	}
	return json.Marshal(object)
}

// MarshalJSON returns the command as a list: the name of its program, and words.
func (s Stage) MarshalJSON() ([]byte, error) {
	words := []any{s.program}
	for _, w := range s.words {
		if !w.silent && w.called == "" {
			words = append(words, w)
		}
	}
	return json.Marshal(words)
}

// MarshalJSON returns the word as a string, or where a scratch file stands in it as
// an object that names that.
func (w word) MarshalJSON() ([]byte, error) {
	switch {
	case w.scratch == nil:
		return json.Marshal(w.text + w.output)
	case w.scratch.given != "":
		return json.Marshal(w.text + w.scratch.given)
	}
	return json.Marshal(struct {
		Text    string `json:"text"`
		Scratch string `json:"scratch"`
	}{w.text, w.scratch.name})
}
