package tool

import "github.com/spf13/pflag"

// Old is a tool that has no Options yet.
type Old struct {
	Common
	Name, Summary, Usage, Epilog string
	Shared                       Shared
	Mem                          Size
	Flagger                      func(*pflag.FlagSet)
	Runner                       func(*Env, []string) error
}

func (o *Old) Flags(fs *pflag.FlagSet) {
	if o.Flagger != nil {
		o.Flagger(fs)
	}
	o.Common.Mem = o.Mem
	if o.Mem != 0 {
		o.Shared |= Memory
	}
	if o.Shared&Records != 0 {
		o.Common.Records.Fields = []string{Text}
	}
	o.Common.Flags(fs, o.Shared)
}

func (o *Old) Run(e *Env, operands []string) error { return o.Runner(e, operands) }

// Adapt makes a Command of it.
func Adapt(o *Old) *Command { return &Command{o.Name, o.Summary, o.Usage, o.Epilog, o} }
