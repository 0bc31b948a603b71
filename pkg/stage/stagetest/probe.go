package stagetest

import (
	"bytes"
	"strings"

	"github.com/spf13/pflag"

	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// A Probe runs a function as a program, to test code that all programs share.
type Probe struct {
	flags.Common
	Do func(*tool.Env) error
}

// Flags registers the flags that programs share.
func (p *Probe) Flags(fs *pflag.FlagSet) {
	p.Common.Flags(fs, flags.Null|flags.JSON|flags.Header|flags.Jobs|flags.KeepGoing|flags.Watch)
}

// Run implements tool.Options.
func (p *Probe) Run(e *tool.Env, _ []string) error { return p.Do(e) }

// RunProbe runs a function as a program with the given flags and standard input. It returns the
// outputs and the exit status.
func RunProbe(do func(*tool.Env) error, stdin string, args ...string) (stdout, stderr string, status int) {
	var out, errs bytes.Buffer
	std := tool.Std{Args: args, Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errs}
	status = tool.Run(&tool.Command{Name: "probe", Options: &Probe{Do: do}}, std)
	return out.String(), errs.String(), status
}
