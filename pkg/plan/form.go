package plan

import (
	"fmt"
	"slices"

	"github.com/spf13/pflag"
)

// A Form says how a plan is printed instead of run. It is a pflag.Value.
type Form string

// The forms. A flag without a value means Shell.
const (
	None     Form = "" // the plan runs
	Shell    Form = "sh"
	JSON     Form = "json"     // for programs that run the stages themselves
	Make     Form = "make"     // for many machines
	Parallel Form = "parallel" // for many machines
)

// Set sets the form.
func (f *Form) Set(s string) error {
	if !slices.Contains([]Form{Shell, JSON, Make, Parallel}, Form(s)) {
		return fmt.Errorf("want sh, json, make or parallel, not %q", s)
	}
	*f = Form(s)
	return nil
}

// InParts reports whether the form is one for parts of the data.
func (f Form) InParts() bool { return f == Make || f == Parallel }

func (f *Form) String() string { return string(*f) }

// Type names the value in help: none, since the value may be left out.
func (f *Form) Type() string { return "" }

// Flag registers --print.
func (f *Form) Flag(fs *pflag.FlagSet) {
	fs.Var(f, "print", "print the chain as shell text, or by --print=json, make or parallel in that form, and run nothing")
	fs.Lookup("print").NoOptDefVal = string(Shell)
}
