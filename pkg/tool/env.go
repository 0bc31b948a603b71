package tool

import (
	"bufio"
	"fmt"
	"maps"
	"sync"
	"sync/atomic"

	"github.com/spf13/pflag"

	"doppel/pkg/files/filename"
	"doppel/pkg/line/dupid"
	"doppel/pkg/msg"
	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	"doppel/pkg/tool/flags"
)

// An Env is a command's view of its run: its streams, its outputs and the options shared by
// all tools.
type Env struct {
	Std
	flags.Common
	Name     string
	Out      *bufio.Writer // standard output or the file of -o; its flush is checked at the end
	Progress Progress
	Counted  Stats // the argument of WriteStats, after its call

	Shared        // shared by all stages of a process
	Reported bool // under -k, an earlier stage has reported the bad records of the inputs
	Upstream any  // values from the previous stage in this process; nil: lines from Stdin

	parent   *Env           // of a stage
	given    *pflag.FlagSet // of the command line; nil for a stage
	outputs  outputs
	cold     bool         // see HaveRead
	places   *dupid.Table // of ids, see OneID
	toldFull bool         // reported that places is full
	unread   int64
	troubles atomic.Int64
	mu       sync.Mutex // of the first Env of a process: guards Stderr
}

// Shared is the state shared by all stages of a process.
type Shared struct {
	Called  map[string]string     // display names of files that replace other inputs
	Decoded *record.DecodedInputs // compressed inputs that an earlier stage has decoded; or nil
	Places  *record.Places        // of the records that the first stage has read; or nil
}

// lockStderr locks the error stream, which all stages share, and returns the unlock
// function.
func (e *Env) lockStderr() func() {
	e = e.root()
	e.mu.Lock()
	return e.mu.Unlock
}

// root returns the Env of the run that a stage belongs to.
func (e *Env) root() *Env {
	for e.parent != nil {
		e = e.parent
	}
	return e
}

// Warn reports an error that does not end the run but sets its exit status to 2.
func (e *Env) Warn(err error) {
	e.troubles.Add(1)
	e.printError(err)
}

// Trouble sets the exit status of the run to 2 for an error already reported.
func (e *Env) Trouble() { e.troubles.Add(1) }

// Delegate returns a temporary name under which another program must write the named file,
// which is renamed when the run has succeeded. If replaces is set, the file may have the
// name of an input.
func (e *Env) Delegate(name string, replaces bool) (string, error) {
	hidden, err := e.outputs.delegate(name, replaces)
	if err == nil && hidden != name {
		if e.Called == nil {
			e.Called = map[string]string{}
		}
		e.Called[hidden] = name
	}
	return hidden, err
}

// Whole runs a step that a signal does not interrupt, because other programs would see its
// unfinished result. The step must not create outputs.
func (e *Env) Whole(step func()) { e.outputs.holdSignals(step) }

// Note prints a message on standard error that is not an error.
func (e *Env) Note(format string, args ...any) {
	defer e.lockStderr()()
	fmt.Fprintf(e.Stderr, "%s: %s\n", e.Name, msg.Printable(fmt.Sprintf(format, args...)))
}

// Skip applies -k to the error of one record: under -k it reports the error and returns
// nil; otherwise it returns the error, which ends the run.
func (e *Env) Skip(err error) error {
	if err == nil || !e.KeepGoing {
		return err
	}
	e.Warn(err)
	return nil
}

// RefuseIdle returns an error if a flag that does nothing was given.
func (e *Env) RefuseIdle(i flags.Idle) error {
	if e.given == nil {
		return nil
	}
	if err := i.Refuse(e.given); err != nil {
		return usageError{err}
	}
	return nil
}

// Terminator returns the end of a line of names: NUL under -0, otherwise LF.
func (e *Env) Terminator() byte {
	if e.Null {
		return 0
	}
	return '\n'
}

// Input returns the record inputs that the operands name.
func (e *Env) Input(names []string) record.Input {
	return e.input(record.Input{Names: names}, names)
}

// FilesInput returns the record inputs for names of files; the files' contents are the texts.
func (e *Env) FilesInput(names []string) record.Input {
	return e.input(record.Input{Files: new(filename.List(names))}, names)
}

func (e *Env) input(in record.Input, names []string) record.Input {
	e.outputs.inputs = append(e.outputs.inputs, names...)
	in.Stdin, in.Called, in.Decoded, in.Part = e.Stdin, e.Called, e.Decoded, int(e.Part)
	if e.StdinName != "" {
		in.Called = map[string]string{"-": e.StdinName}
		maps.Copy(in.Called, e.Called)
	}
	if in.Part == 0 && e.Progress.Meter.Expect(&in) {
		in.Meter = &e.Progress.Meter
	}
	return in
}

// Reads registers names as inputs. The run must not write to them.
func (e *Env) Reads(names ...string) error {
	e.outputs.inputs = append(e.outputs.inputs, names...)
	if e.OutputName != "" && e.OutputName != "-" {
		return nil
	}
	return e.outputs.inputs.checkStream(e.fileStdin(), e.Stdout)
}

// Open opens an operand as a stream of lines; "-" or "" is standard input. Compression is
// recognized by its magic bytes.
func (e *Env) Open(name string) (*record.Stream, error) {
	e.outputs.inputs = append(e.outputs.inputs, name)
	return record.OpenStream(name, e.Stdin)
}

// Create opens a further output file, treated like the file of -o: compressed if its name
// says so, and renamed into place when the run has succeeded.
func (e *Env) Create(name string) (*bufio.Writer, error) {
	if err := dataform.CheckLines(name); err != nil {
		return nil, err
	}
	return e.outputs.create(name, e.packing(name))
}

// open reopens Out with this compression. It is called before anything is written.
func (e *Env) open(c dataform.Packing) (err error) {
	stdout, name := e.Stdout, e.OutputName
	if e.root().outputs.shards != nil && e.Directory() {
		stdout, name = linesRefused{name}, ""
	}
	e.Out, err = e.outputs.open(stdout, name, c)
	return err
}

// packing returns the compression of an output with this name.
func (e *Env) packing(name string) dataform.Packing {
	return dataform.Packing{Compression: dataform.CompressionOf(name), Jobs: e.Jobs}
}
