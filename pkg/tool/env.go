package tool

import (
	"bufio"
	"fmt"
	"maps"
	"sync"
	"sync/atomic"

	"github.com/spf13/pflag"

	"doppel/pkg/files/filename"
	"doppel/pkg/line/places"
	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	"doppel/pkg/tool/flags"
	"doppel/pkg/wording"
)

// An Env is a command's view of its run: its streams, its outputs and the
// options that all tools share.
type Env struct {
	Std
	flags.Common
	Name     string
	Out      *bufio.Writer // standard output or the file of -o; its flush is checked at the end
	Progress Progress
	Counted  Stats // the argument of WriteStats, once it was called

	Shared        // what all stages of a process have in common
	Reported bool // under -k, an earlier stage has reported the bad records of the inputs
	Upstream any  // the values of the stage before this one in the same process; nil: Stdin has its lines

	parent   *Env           // of a stage
	given    *pflag.FlagSet // of the command line; nil for a stage
	outputs  outputs
	cold     bool          // see HaveRead
	places   *places.Table // of ids, see OneID
	toldFull bool          // that they have no more room
	unread   int64
	troubles atomic.Int64
	mu       sync.Mutex // of the first Env of a process: guards Stderr
}

// Shared is what all stages of a process have in common.
type Shared struct {
	Called  map[string]string     // display names of files that stand for other inputs
	Decoded *record.DecodedInputs // compressed inputs that an earlier stage has decoded; or nil
	Places  *record.Places        // of the records that the first stage has read; or nil
}

// lockStderr locks the error stream, which all stages share, and returns the unlocking.
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

// Warn reports trouble that does not end the run but its status: 2.
func (e *Env) Warn(err error) {
	e.troubles.Add(1)
	e.message(err)
}

// Trouble makes the status of the run 2, for trouble that was told already.
func (e *Env) Trouble() { e.troubles.Add(1) }

// Delegate returns the name under which another program is to write the named
// file, which is put in its place when the run has succeeded. Only what replaces
// may be an input, of the same name.
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

// Whole runs a step that a signal waits for, so that it is not left half done: other
// programs would meet what it has between its beginning and its end. It makes no output.
func (e *Env) Whole(step func()) { e.outputs.whole(step) }

// Note tells the user something that is no trouble, on standard error.
func (e *Env) Note(format string, args ...any) {
	defer e.lockStderr()()
	fmt.Fprintf(e.Stderr, "%s: %s\n", e.Name, wording.Printable(fmt.Sprintf(format, args...)))
}

// Skip applies -k to the error of one record: under -k it is reported and
// nil returned, else it is returned and ends the run.
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

// Terminator returns what ends a line of names: NUL under -0, else LF.
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

// FilesInput returns the record inputs whose texts are the contents of the named files.
func (e *Env) FilesInput(names []string) record.Input {
	return e.input(record.Input{Files: new(filename.List(names))}, names)
}

func (e *Env) input(in record.Input, names []string) record.Input {
	e.outputs.inputs = append(e.outputs.inputs, names...)
	in.Stdin, in.Called, in.Decoded = e.Stdin, e.Called, e.Decoded
	if e.StdinName != "" {
		in.Called = map[string]string{"-": e.StdinName}
		maps.Copy(in.Called, e.Called)
	}
	if e.Progress.Meter.Expect(&in) {
		in.Meter = &e.Progress.Meter
	}
	return in
}

// Reads notes names of inputs, for a run that has others read them. They must not
// be what it writes.
func (e *Env) Reads(names ...string) error {
	e.outputs.inputs = append(e.outputs.inputs, names...)
	if e.OutputName != "" && e.OutputName != "-" {
		return nil
	}
	return e.outputs.inputs.checkStream(e.typed(), e.Stdout)
}

// Open opens one operand that is read as a stream of lines, with "-" or ""
// for standard input. Compression is found by its magic bytes.
func (e *Env) Open(name string) (*record.Stream, error) {
	e.outputs.inputs = append(e.outputs.inputs, name)
	return record.OpenStream(name, e.Stdin)
}

// Create opens another file that the run writes, as -o opens its own:
// compressed if its name says so, and in its place when the run has succeeded.
func (e *Env) Create(name string) (*bufio.Writer, error) { return e.CreateAmong(1, name) }

// CreateAmong is Create of one of n outputs that are written at once, and compressed in
// the memory that one takes.
func (e *Env) CreateAmong(n int, name string) (*bufio.Writer, error) {
	if err := dataform.CheckLines(name); err != nil {
		return nil, err
	}
	p := e.packing(name)
	p.Among = n
	return e.outputs.create(name, p)
}

// open makes Out anew, compressed so. It is called before anything is written.
func (e *Env) open(c dataform.Packing) (err error) {
	stdout, name := e.Stdout, e.OutputName
	if e.root().outputs.shards != nil && e.Directory() {
		stdout, name = linesRefused{name}, ""
	}
	e.Out, err = e.outputs.open(stdout, name, c)
	return err
}

// packing returns how an output of that name is compressed.
func (e *Env) packing(name string) dataform.Packing {
	return dataform.Packing{Compression: dataform.CompressionOf(name), Jobs: e.Jobs}
}
