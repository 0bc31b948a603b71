// Package tool is the one runner of all commands: it parses the flags that
// every tool shares, opens the streams, prefixes the messages, and turns what
// happened into an exit status.
//
// A main is written as a value, so that tests can run it with buffers:
//
//	func main() { os.Exit(tool.Run(command(), tool.OS())) }
//
// The rules of messages: "tool: file:line: what is wrong", lower case, one
// line, no full stop, %q for what the user typed; a hint is a second line.
// Control characters in data are escaped before they reach the terminal.
package tool

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/spf13/pflag"
)

// The exit statuses of every tool.
const (
	ExitOK      = 0 // all input was read and all output written, even if that is nothing
	ExitNothing = 1 // only where the tool's page says so
	ExitTrouble = 2 // bad usage, bad input, or a failed read or write
)

// A Command is one tool.
type Command struct {
	Name    string // the command's name, which is also its man page
	Summary string // one line, the .Nd line of the man page
	Usage   string // the operands, as in "LIST [FILE...]"
	Epilog  string // what help says after the flags, if anything
	Shared  Shared // the shared flags that it honours
	Mem     Size   // the default of --mem; 0: the tool has no --mem
	Flags   func(*pflag.FlagSet)
	Run     func(*Env, []string) error
}

// Std is what a command sees of its process; tests pass buffers.
type Std struct {
	Args           []string // without the command's name
	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// OS returns the streams and arguments of this process.
func OS() Std {
	return Std{Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
}

// Run runs the command and returns its exit status.
//
// Memory is returned to the system sooner than Go's default does it, because
// the largest things that tools hold are flat arrays that the collector
// passes over for nothing; a GOGC in the environment wins.
func Run(c *Command, std Std) int {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(40)
	}
	e := &Env{Std: std, Name: c.Name}
	err := e.run(c)
	if err == errHelp {
		err = nil
	}
	return e.status(err)
}

func (e *Env) run(c *Command) error {
	fs := e.flagSet(c)
	if err := fs.Parse(e.Args); err != nil {
		return usageError{err}
	}
	if err := e.settle(); err != nil {
		return err
	}
	if done, err := e.answer(c, fs); done {
		return err
	}
	if err := e.openOutput(); err != nil {
		return err
	}
	stop := e.startProgress()
	err := c.Run(e, fs.Args())
	stop()
	return e.closeOutputs(err)
}

// status prints the error that ended the run, if any, and returns the exit status.
func (e *Env) status(err error) int {
	var exit Exit
	switch {
	case err == nil && e.troubles.Load() > 0:
		return ExitTrouble
	case err == nil:
		return ExitOK
	case errors.As(err, &exit):
		return int(exit)
	}
	e.message(err)
	return ExitTrouble
}

// message prints one error, and the hint that it carries.
func (e *Env) message(err error) {
	fmt.Fprintf(e.Stderr, "%s: %s\n", e.Name, Printable(err.Error()))
	var hint hintError
	var usage usageError
	switch {
	case errors.As(err, &hint):
		fmt.Fprintf(e.Stderr, "%s: hint: %s\n", e.Name, Printable(hint.hint))
	case errors.As(err, &usage):
		fmt.Fprintf(e.Stderr, "%s: hint: try '%s --help'\n", e.Name, e.Name)
	}
}
