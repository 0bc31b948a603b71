// Package tool runs commands: it parses the flags, opens the inputs and outputs, prints messages
// prefixed with the tool's name, and returns the exit status.
//
// A tool is a value of type [Command], so tests can run it with buffers as its standard streams.
// The main function of a tool is one line:
//
//	func main() { os.Exit(tool.Run(recuniq.Command(), tool.OS())) }
//
// Messages have the form "tool: file:line: what is wrong". A message is one line in lower case,
// without a full stop. It quotes user input with %q. A hint, if there is one, follows on a second
// line. Control characters in data are escaped before they reach the terminal.
package tool

import (
	"cmp"
	"errors"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	"doppel/pkg/tool/describe"
	"doppel/pkg/tool/flags"
	"doppel/pkg/tool/version"
)

// The exit statuses of every tool.
const (
	ExitOK      = 0 // all input was read and all output written, even if both are empty
	ExitNothing = 1 // described in the manual pages of the tools that use it
	ExitTrouble = 2 // bad usage, bad input, or a failed read or write
)

// Run runs the command and returns its exit status.
func Run(c *Command, std Std) int {
	if os.Getenv("GOGC") == "" {
		pacing.Do(func() { pace(new(collection)) })
	}
	// With this call, writing to a closed pipe returns EPIPE instead of ending the process, so the
	// run can remove its outputs.
	closed := make(chan os.Signal, 1)
	signal.Notify(closed, syscall.SIGPIPE)
	defer signal.Stop(closed)
	e := &Env{Std: std, Name: c.Name, shared: shared{Openings: new(record.Openings)}}
	if isTerminal(std.Stdin) {
		e.Stdin = &keyboard{file: std.Stdin.(*os.File), note: e.Note}
	}
	return e.status(e.run(c))
}

// run checks the arguments, runs the tool, and describes the run if --manifest is given. If a flag such
// as --help is given, it only prints the answer.
func (e *Env) run(c *Command) error {
	fs := c.flagSet()
	text, asked := "", len(e.Args) > 0 && e.Args[0] == completeArg
	if asked {
		text = c.complete(fs, e.Args[1:])
	} else if err := flagset.Parse(fs, e.Args); err != nil {
		return parseError(err, fs)
	} else {
		text, asked = c.answer(fs, e.typed(), !slices.Contains(e.Args, "--help"))
	}
	if asked {
		_, err := io.WriteString(e.Stdout, text)
		return err
	}
	operands, err := e.check(c, fs)
	if err != nil {
		return err
	}
	defer e.outputs.RemoveOnSignal()()
	l, ok := c.Options.(lister)
	lists := fs.Lookup("to") == nil && fs.Lookup("config") == nil || ok && l.ListsLines()
	d, err := describe.New(&describe.Run{
		Common: &e.Common, Command: c.Name, Version: version.Named(), Flags: fs, Options: c.Options,
		Lists: lists, Packing: e.packing(e.Manifest), Set: &e.outputs, Note: e.Note,
	})
	if err == nil && !e.Finished {
		err = e.commit(e.write(c, fs, operands))
	}
	return d.End(err, e.troubles.Load() > 0, e.Statistics, e.collections)
}

// Describing returns the command that writes the manifest of a printed run when the run is over, and its
// operands. It returns nil without --manifest.
func (e *Env) Describing() (command, operands []string) {
	if e.Manifest == "" {
		return nil, nil
	}
	return describe.Finishing(e.Name, e.given), e.given.Args()
}

// check checks the options, and returns the operands. It sets the fields of e that the options give.
func (e *Env) check(c *Command, fs *pflag.FlagSet) (operands []string, err error) {
	shared, operands := c.Options.SharedOptions(), fs.Args()
	if f, ok := c.Options.(follower); ok {
		if operands, err = f.Follow(fs, operands); err != nil {
			return nil, err
		}
	}
	if err := cmp.Or(shared.Check(), flags.CheckNames(fs)); err != nil {
		return nil, UsageError("%w", err)
	}
	if err := c.formatLines(fs); err != nil {
		return nil, err
	}
	if err := c.Options.Check(); err != nil {
		return nil, nameFlag(fs, err)
	}
	if fs.Lookup("to") == nil {
		if err := dataform.CheckLines(shared.OutputName); err != nil {
			return nil, err
		}
	}
	e.given = fs
	if !c.OwnStdin && isNull(e.Stdin) && !asksForStdin(fs) {
		e.Stdin = nullInput{}
	}
	if err := e.RefuseIdle(c.Options.Idle()); err != nil {
		return nil, err
	}
	if err := cmp.Or(flags.CheckNumbers(fs), flags.CheckGrowth(fs), flags.CheckSync(fs)); err != nil {
		return nil, UsageError("%w", err)
	}
	e.Common = shared.Settled()
	e.outputs.NoSync = e.NoSync
	if o, ok := c.Options.(collector); ok {
		e.outputs.Collections = o.Collections()
	}
	return operands, e.Reads(operands...)
}

// write opens the outputs, runs the tool, and renames the outputs into place.
func (e *Env) write(c *Command, fs *pflag.FlagSet, operands []string) error {
	if fs.Lookup("to") != nil {
		if err := e.ReserveShards(&e.Common, operands, false); err != nil {
			return e.outputs.Close(err)
		}
	}
	if err := e.open(e.packing(e.OutputName)); err != nil {
		return err
	}
	stop := e.ShowProgress()
	err := c.Options.Run(e, operands)
	if err == nil {
		err = e.Openings.Unchanged()
	}
	stop()
	return e.outputs.Close(err)
}

// formatLines sets --json if the suffix of the main output selects JSON lines for an output of lines,
// as it does for an output of records. It returns an error if the suffix of another output selects a
// format that this output never has.
func (c *Command) formatLines(fs *pflag.FlagSet) error {
	if f := fs.Lookup("removed"); f != nil && dataform.KindOf(f.Value.String()) == dataform.TSV {
		return UsageError("--removed %s: records are written as JSON lines: want another name, such as .jsonl", f.Value)
	}
	lines := fs.Lookup("to") == nil
	if l, ok := c.Options.(lister); ok {
		lines = l.ListsLines()
	}
	objects, output := fs.Lookup("json"), fs.Lookup("output")
	if !lines || objects == nil || output == nil || !dataform.KindOf(output.Value.String()).Lines {
		return nil
	}
	if fs.Changed("header") {
		return UsageError("--header does nothing in JSON lines: want another name than -o %s", output.Value)
	}
	return objects.Value.Set("true")
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
		e.Stdout.Write([]byte{'\n'}) // raises SIGPIPE, which ends the process as shells expect
	}
	e.printError(err)
	return ExitTrouble
}
