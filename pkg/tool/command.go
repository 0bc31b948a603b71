package tool

import (
	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/tool/flags"
)

// A Command describes a tool. The function [Run] runs the tool.
type Command struct {
	Name    string // the command's name, which is also the name of its man page
	Summary string // one-line description, used in help and in the man page (.Nd)
	Usage   string // the operands, as in "LIST [FILE...]"
	Epilog  string // text that -h and --help print after the flags; may be empty
	Options Options

	// OwnStdin is set for a tool that always reads standard input, so that no operand can ask for it.
	OwnStdin bool
}

// New returns a function that describes a command. Each call makes new options, with the values that
// preset returns.
func New[O any, P interface {
	*O
	Options
}](name, summary, usage string, preset func() O) func() *Command {
	return func() *Command {
		o := preset()
		return &Command{Name: name, Summary: summary, Usage: usage, Options: P(&o)}
	}
}

// Options defines the flags and the work of a tool. Implementations embed flags.Common, and
// register their own flags before the shared ones.
type Options interface {
	flagset.Flagged
	// Check returns an error if the options are invalid or cannot be used together.
	Check() error
	// Idle returns the flags that have no effect in this run; giving one of them is an error.
	Idle() flags.Idle
	// Essential returns the flags that -h shows, at most twelve; nil means all flags.
	Essential() []string
	// Run runs the tool with the operands. If it returns an error, the run ends.
	Run(e *Env, operands []string) error

	// SharedOptions returns the options shared by all tools.
	SharedOptions() *flags.Common
}

// A collector is an Options that can name collections: directories in which no output may be, and
// which need not exist yet.
type collector interface{ Collections() []string }

// A follower is an Options that can take its options and its operands from the manifest of a run.
type follower interface {
	// Follow sets the flags that the manifest gives, and returns the operands to use instead of the
	// given ones. Without a manifest, it changes nothing.
	Follow(fs *pflag.FlagSet, operands []string) ([]string, error)
}

// A lister is an Options whose main output is records or lines, by its options.
type lister interface {
	// ListsLines reports whether the main output is lines.
	ListsLines() bool
}
