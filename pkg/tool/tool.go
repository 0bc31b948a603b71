// Package tool is the one runner of all commands: it parses the flags that
// every tool shares, opens the streams, prefixes the messages, and turns what
// happened into an exit status.
//
// A program is a value, so that tests can run it with buffers:
//
//	func main() { os.Exit(tool.Run(recuniq.Command(), tool.OS())) }
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
	"os/signal"
	"path/filepath"
	"syscall"

	"doppel/pkg/flagset"
	"doppel/pkg/record/dataform"
	"doppel/pkg/tool/flags"
	"doppel/pkg/wording"
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
	Options Options
}

// Options are what a tool can be told, and what it does when it is told so. They
// embed Common, whose shared flags they register behind their own.
type Options interface {
	flagset.Flagged
	// Check refuses values that mean nothing, or exclude each other.
	Check() error
	// Idle returns the flags that do nothing in this run.
	Idle() flags.Idle
	// Run does the work on the operands.
	Run(e *Env, operands []string) error

	// SharedOptions returns what they have of the options of all tools.
	SharedOptions() *flags.Common
}

// Std is what a command sees of its process; tests pass buffers.
type Std struct {
	Program        string   // the name by which it was called, without its directory
	Args           []string // without that name
	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// OS returns the streams and arguments of this process.
func OS() Std {
	return Std{Program: filepath.Base(os.Args[0]), Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
}

// Run runs the command and returns its exit status.
func Run(c *Command, std Std) int {
	tuneCollector()
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // a write then returns EPIPE, so that outputs are removed
	e := &Env{Std: std, Name: c.Name}
	if isTerminal(std.Stdin) {
		e.Stdin = &keyboard{file: std.Stdin.(*os.File), e: e}
	}
	return e.status(e.run(c))
}

func (e *Env) run(c *Command) error {
	var a questions
	fs := c.flagSet(&a)
	if len(e.Args) > 0 && e.Args[0] == completing {
		return e.print(c.complete(fs, e.Args[1:]))
	}
	if err := fs.Parse(e.Args); err != nil {
		return c.unknown(err, fs)
	}
	if text, ok := c.answer(a, fs); ok {
		return e.print(text)
	}
	if err := c.Options.SharedOptions().Check(); err != nil {
		return usageError{err}
	}
	if err := c.Options.Check(); err != nil {
		return err
	}
	if fs.Lookup("to") == nil {
		if err := dataform.CheckLines(c.Options.SharedOptions().OutputName); err != nil {
			return err
		}
	}
	e.given = fs
	if err := e.RefuseIdle(c.Options.Idle()); err != nil {
		return err
	}
	if err := flags.CheckSync(fs); err != nil {
		return usageError{err}
	}
	return e.do(c.Options, fs.Args())
}

// print answers a question about the tool.
func (e *Env) print(text string) error {
	_, err := io.WriteString(e.Stdout, text)
	return err
}

// do runs the tool with its outputs open, and puts those in their places.
func (e *Env) do(o Options, operands []string) error {
	e.Common = o.SharedOptions().Settled()
	e.outputs.noSync = e.NoSync
	if err := e.Reads(operands...); err != nil {
		return err
	}
	e.outputs.removeOnSignal()
	if err := e.open(e.packing(e.OutputName)); err != nil {
		return err
	}
	stop := e.ShowProgress()
	err := o.Run(e, operands)
	stop()
	return e.outputs.close(err)
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
	case brokenStdout(err):
		signal.Reset(syscall.SIGPIPE)
		e.Stdout.Write([]byte{'\n'}) // nobody reads, so that this ends the process as it would have ended at once
	}
	e.message(err)
	return ExitTrouble
}

// message prints one error, and the hint that it carries.
func (e *Env) message(err error) {
	defer e.lockStderr()()
	var of *StageError
	if errors.As(err, &of) {
		e = &Env{Std: e.Std, Name: of.Stage}
		err = of.Err
	}
	fmt.Fprintf(e.Stderr, "%s: %s\n", e.Name, brief(wording.Printable(told(err))))
	var hint interface{ Hint() string }
	var usage usageError
	switch {
	case errors.As(err, &hint):
		fmt.Fprintf(e.Stderr, "%s: hint: %s\n", e.Name, wording.Printable(hint.Hint()))
	case errors.As(err, &usage):
		fmt.Fprintf(e.Stderr, "%s: hint: try '%s --help'\n", e.Name, e.Name)
	}
}
