// Package tool runs all commands: it parses the flags that every tool shares, opens the
// streams, prefixes the messages, and returns the exit status.
//
// A program is a value, so that tests can run it with buffers:
//
//	func main() { os.Exit(tool.Run(recuniq.Command(), tool.OS())) }
//
// The rules of messages: "tool: file:line: what is wrong", lower case, one line, no full
// stop, %q for user input; a hint is a second line. Control characters in data are escaped
// before they reach the terminal.
package tool

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"doppel/pkg/flagset"
	"doppel/pkg/msg"
	"doppel/pkg/record/dataform"
	"doppel/pkg/tool/flags"
)

// The exit statuses of every tool.
const (
	ExitOK      = 0 // all input was read and all output written, even if both are empty
	ExitNothing = 1 // only where the tool's manual page says so
	ExitTrouble = 2 // bad usage, bad input, or a failed read or write
)

// A Command is one tool.
type Command struct {
	Name    string // the command's name, which is also its man page
	Summary string // one line, the .Nd line of the man page
	Usage   string // the operands, as in "LIST [FILE...]"
	Epilog  string // help after the flags, if any
	Options Options
}

// Options are the flags of a tool and its work. They embed Common, and register its shared
// flags after their own.
type Options interface {
	flagset.Flagged
	// Check rejects values that are invalid or cannot be used together.
	Check() error
	// Idle returns the flags that do nothing in this run.
	Idle() flags.Idle
	// Run does the work on the operands.
	Run(e *Env, operands []string) error

	// SharedOptions returns the options shared by all tools.
	SharedOptions() *flags.Common
}

// Std is a command's view of its process; tests pass buffers.
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
	if os.Getenv("GOGC") == "" {
		pace(new(collection))
	}
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // a write then returns EPIPE, so that outputs are removed
	e := &Env{Std: std, Name: c.Name}
	if isTerminal(std.Stdin) {
		e.Stdin = &keyboard{file: std.Stdin.(*os.File), e: e}
	}
	return e.status(e.run(c))
}

// run answers --help and the like, or checks the arguments, opens the outputs, runs the
// tool, and puts the outputs in place.
func (e *Env) run(c *Command) error {
	fs := c.flagSet()
	text, asked := "", len(e.Args) > 0 && e.Args[0] == completeArg
	if asked {
		text = c.complete(fs, e.Args[1:])
	} else if err := fs.Parse(e.Args); err != nil {
		return parseError(err, fs)
	} else {
		text, asked = c.answer(fs)
	}
	if asked {
		_, err := io.WriteString(e.Stdout, text)
		return err
	}
	shared, operands := c.Options.SharedOptions(), fs.Args()
	if err := shared.Check(); err != nil {
		return usageError{err}
	}
	if err := c.Options.Check(); err != nil {
		return err
	}
	if fs.Lookup("to") == nil {
		if err := dataform.CheckLines(shared.OutputName); err != nil {
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
	e.Common = shared.Settled()
	e.outputs.noSync = e.NoSync
	if err := e.Reads(operands...); err != nil {
		return err
	}
	e.outputs.removeOnSignal()
	if fs.Lookup("to") != nil {
		if err := e.ReserveShards(&e.Common, operands, false); err != nil {
			return e.outputs.close(err)
		}
	}
	if err := e.open(e.packing(e.OutputName)); err != nil {
		return err
	}
	stop := e.ShowProgress()
	err := c.Options.Run(e, operands)
	stop()
	return e.outputs.close(err)
}

// status prints the error that ended the run, if any, and returns the exit status.
func (e *Env) status(err error) int {
	var exit Exit
	var file *os.PathError
	switch {
	case err == nil && e.troubles.Load() > 0:
		return ExitTrouble
	case err == nil:
		return ExitOK
	case errors.As(err, &exit):
		return int(exit)
	case errors.As(err, &file) && file.Path == "/dev/stdout" && errors.Is(file.Err, syscall.EPIPE):
		signal.Reset(syscall.SIGPIPE)
		e.Stdout.Write([]byte{'\n'}) // no reader is left: the write ends the process as a shell expects
	}
	e.printError(err)
	return ExitTrouble
}

// isShare reports whether an operand is a number, such as 0.8 or 80%, that is unlikely to be a
// file name.
func isShare(word string) bool {
	digits, percent := strings.CutSuffix(word, "%")
	_, err := strconv.ParseFloat(digits, 64)
	return err == nil && (percent || strings.Contains(digits, "."))
}

// printError prints one error with its hint.
func (e *Env) printError(err error) {
	defer e.lockStderr()()
	var of *StageError
	if errors.As(err, &of) {
		e = &Env{Std: e.Std, Name: of.Stage}
		err = of.Err
	}
	text := msg.Printable(messageOf(err))
	if r := []rune(text); len(r) > maxMessage {
		text = string(r[:maxMessage-messageEnd]) + " … " + string(r[len(r)-messageEnd:])
	}
	fmt.Fprintf(e.Stderr, "%s: %s\n", e.Name, text)
	var hint interface{ Hint() string }
	var usage usageError
	var file *os.PathError
	switch {
	case errors.As(err, &hint):
		fmt.Fprintf(e.Stderr, "%s: hint: %s\n", e.Name, msg.Printable(hint.Hint()))
	case errors.As(err, &file) && errors.Is(file, os.ErrNotExist) && isShare(file.Path):
		fmt.Fprintf(e.Stderr, "%s: hint: %s was read as a file name; write a number after its option, as in --threshold 0.6\n", e.Name, file.Path)
	case errors.As(err, &usage):
		fmt.Fprintf(e.Stderr, "%s: hint: try '%s --help'\n", e.Name, e.Name)
	}
}
