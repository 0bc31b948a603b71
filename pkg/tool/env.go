package tool

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/spf13/pflag"

	"doppel/pkg/files/filename"
	"doppel/pkg/line/dupid"
	"doppel/pkg/manifest"
	"doppel/pkg/output"
	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	"doppel/pkg/record/write"
	"doppel/pkg/tool/flags"
)

// An Env is a command's view of its run: its streams, its outputs and the options shared by
// all tools.
type Env struct {
	Std
	flags.Common
	Name     string
	Out      *bufio.Writer // standard output or the file of -o; flushed at the end of the run
	Progress Progress

	Counted    *Counts // the counts passed to WriteStats; nil before
	Statistics any     // what --stats=json prints, for the manifest

	shared        // state common to all stages of a process
	Reported bool // an earlier stage has already reported the bad records (with -k)
	Upstream any  // values from the previous stage in this process, or nil to read lines from Stdin

	Sizes *write.Sizes // how Sink uses the sizes of clusters; nil if it does not use them

	// OnMissing is called by EachRecord and KeepRecords for records that --missing drop drops; may be nil.
	OnMissing func(*record.Record) error

	parent       *Env           // in a stage, the Env of the run; otherwise nil
	given        *pflag.FlagSet // flags set on the command line; nil in a stage
	outputs      output.Set
	collections  []manifest.Collection // for the manifest; only the root Env has them
	last         []Commit              // steps for the time when the outputs are in place; only the root Env has them
	screen       *screen               // the terminal that Out writes to; nil if there is none
	cold         bool                  // set by HaveRead when files turn out not to be in the page cache
	places       *dupid.Table          // positions of ids seen so far; nil unless OneID enables the check
	reportedFull bool                  // the user was told that the table of ids is full
	missing      int64                 // number of records dropped for lack of a text
	unread       int64
	troubles     atomic.Int64
	mu           sync.Mutex      // guards Stderr and noted; only the root Env's mutex is used
	noted        map[string]bool // the messages of NoteOnce; only the root Env has them
}

// shared is the state shared by all stages of a process.
type shared struct {
	Called   map[string]string     // display names of files, by the names used to open them
	Openings *record.Openings      // the files that stages have opened; may be nil
	Decoded  *record.DecodedInputs // compressed inputs that an earlier stage has decoded; may be nil
	Places   *record.Places        // positions of the records read by the first stage; may be nil
}

// root returns the Env of the run: e itself, unless e belongs to a stage.
func (e *Env) root() *Env {
	for e.parent != nil {
		e = e.parent
	}
	return e
}

// Delegate returns a temporary name under which another program must write the named file. The file
// is renamed to its final name when the run has succeeded. The second argument decides whether the
// file may replace the input of the same name.
func (e *Env) Delegate(name string, replaces bool) (string, error) {
	hidden, err := e.outputs.Delegate(name, replaces)
	if err == nil && hidden != name {
		if e.Called == nil {
			e.Called = map[string]string{}
		}
		e.Called[hidden] = name
	}
	return hidden, err
}

// Given reports whether the command line sets a flag. In a stage, whose options another command sets, it
// always returns true.
func (e *Env) Given(flag string) bool { return e.given == nil || e.given.Changed(flag) }

// A Commit is the last step of a run. Close ends the step, whether or not Commit was called.
type Commit interface {
	Commit() error
	Close() error
}

// CommitLast makes the run call the method Commit of a step when all outputs are in place. If the run
// fails before, only Close is called.
func (e *Env) CommitLast(c Commit) {
	root := e.root()
	root.last = append(root.last, c)
}

// Collections adds collections to the manifest of the run.
func (e *Env) Collections(all ...manifest.Collection) {
	root := e.root()
	root.collections = append(root.collections, all...)
}

// commit takes the last steps of the run, unless err, the error that ended the run, is not nil. It
// returns the first error.
func (e *Env) commit(err error) error {
	for _, c := range e.last {
		if err == nil {
			err = c.Commit()
		}
		err = cmp.Or(err, c.Close())
	}
	return err
}

// FinishOutputs completes all outputs before a step that cannot be undone, such as the removal of what
// the outputs list. Nothing can be written afterwards.
func (e *Env) FinishOutputs() error { return e.outputs.Finish() }

// WriteAhead writes a line about a step that cannot be undone, before that step. When it returns nil,
// the line is written, not buffered, and the file of -o is in its place, where it stays however the run
// ends. Call it only in a step of Whole.
func (e *Env) WriteAhead(b []byte) error { return e.outputs.WriteAhead(b) }

// Whole runs a step and delays the handling of signals until the step has ended. Use it if an
// interruption would let other programs see an unfinished result. The step must not create outputs,
// because that would deadlock.
func (e *Env) Whole(step func()) { e.outputs.HoldSignals(step) }

// RefuseIdle returns a usage error if the command line sets a flag that i lists as having no
// effect. In a stage, it returns nil.
func (e *Env) RefuseIdle(i flags.Idle) error {
	if e.given == nil {
		return nil
	}
	if err := i.Refuse(e.given); err != nil {
		return UsageError("%w", err)
	}
	return nil
}

// Terminator returns the byte that ends each name or line: NUL with -0, otherwise LF.
func (e *Env) Terminator() byte {
	if e.Null {
		return 0
	}
	return '\n'
}

// Input returns an input that reads records from the named files, and registers the names as inputs
// of the run.
func (e *Env) Input(names []string) record.Input {
	return e.input(record.Input{Names: names}, names)
}

// FilesInput is like Input, but reads each file as one record, whose text is the contents of the
// file.
func (e *Env) FilesInput(names []string) record.Input {
	return e.input(record.Input{Files: new(filename.List(names))}, names)
}

func (e *Env) input(in record.Input, names []string) record.Input {
	e.outputs.Reads(names...)
	in.Stdin, in.Called, in.Decoded, in.Openings, in.Part, in.Jobs = e.Stdin, e.Called, e.Decoded, e.Openings, int(e.Part), e.Jobs
	if e.StdinName != "" {
		in.Called = map[string]string{"-": e.StdinName}
		maps.Copy(in.Called, e.Called)
	}
	if in.Part == 0 && e.Progress.Meter.Expect(&in) {
		in.Meter = &e.Progress.Meter
	}
	return in
}

// Reads registers the named files as inputs, which the run must not write to. It returns an error
// if standard output is one of them.
func (e *Env) Reads(names ...string) error {
	e.outputs.Reads(names...)
	if e.OutputName != "" && e.OutputName != "-" {
		return nil
	}
	return e.outputs.CheckStreams(fileOf(e.Stdin), e.Stdout)
}

// Open opens an operand as a stream of lines; "-" or "" is standard input. Compression is
// recognized by its magic bytes.
func (e *Env) Open(name string) (*record.Stream, error) {
	e.outputs.Reads(name)
	return record.OpenStream(name, e.Stdin)
}

// Written returns the files that the run writes: standard output, all outputs that have been created
// or reserved so far, and the given names. Empty names are ignored.
func (e *Env) Written(names ...string) output.Written {
	root := e.root()
	if root.OutputName == "" || root.OutputName == "-" {
		return root.outputs.Written(root.Stdout, names...)
	}
	return root.outputs.Written(nil, names...)
}

// ReserveShards reserves the names of the outputs if -o names a directory. It returns an error if
// some inputs cannot have separate outputs there. If dry is set, it only checks the inputs. If -o
// does not name a directory, it does nothing.
func (e *Env) ReserveShards(c *flags.Common, operands []string, dry bool) error {
	if !c.Directory() || e.outputs.HasShards() {
		return nil
	}
	shards, err := c.Shards(operands, e.Called)
	if err != nil || dry {
		return err
	}
	return e.outputs.Reserve(c.OutputName, shards)
}

// openShard opens the output that ReserveShards has reserved for an input.
func (e *Env) openShard(input string) (io.WriteCloser, error) {
	return e.root().outputs.OpenShard(input, func(place string) (dataform.Packing, error) {
		form, err := e.OutputForm(place, dataform.Kind{})
		return form.Packing, err
	})
}

// CreateParts creates a file of n parts with the given name, and the index of that file.
func (e *Env) CreateParts(n int, name string) (*output.Parts, error) {
	return e.outputs.CreateParts(n, name, e.packing(name))
}

// Create creates an output file in addition to the main output. Like the file of -o, it is
// compressed if its suffix is .gz or .zst, and renamed into place when the run has succeeded.
func (e *Env) Create(name string) (*bufio.Writer, error) {
	if err := dataform.CheckLines(name); err != nil {
		return nil, err
	}
	return e.outputs.Create(name, e.packing(name))
}

// open reopens Out with compression c. It must be called before anything is written.
func (e *Env) open(c dataform.Packing) (err error) {
	stdout, name := e.Stdout, e.OutputName
	switch {
	case e.root().outputs.HasShards() && e.Directory():
		stdout, name = linesRefused{name}, ""
	case isTerminal(stdout):
		e.screen = &screen{w: stdout}
		stdout = e.screen
	}
	e.Out, err = e.outputs.Open(stdout, name, c)
	return err
}

// linesRefused is the main output of a run that writes shards. Every Write returns an error.
type linesRefused struct{ dir string }

func (l linesRefused) Write([]byte) (int, error) {
	return 0, fmt.Errorf("%s: a directory, but lines are written to one file", l.dir)
}

// packing returns the compression that the suffix of an output's name selects.
func (e *Env) packing(name string) dataform.Packing {
	return dataform.Packing{Compression: dataform.CompressionOf(name), Jobs: e.Jobs}
}

// Std holds the arguments and the standard streams of a command. In tests, the streams are buffers.
type Std struct {
	Program        string   // command as typed: the program without its directory, and the subcommand
	Args           []string // arguments after the program name
	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// OS returns the arguments and the standard streams of this process.
func OS() Std {
	return Std{Program: filepath.Base(os.Args[0]), Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
}

// WriteStats sets e.Counted and, if name is not "", writes the counts as a line of JSON to the
// named file, which is compressed and renamed into place like other outputs.
func (e *Env) WriteStats(name string, c Counts) error {
	e.Counted = &c
	if name == "" {
		return nil
	}
	w, err := e.Create(name)
	if err != nil {
		return err
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false) // keeps < and > in reasons readable
	return enc.Encode(struct {
		*Pairs
		Records int64 `json:"records"`
		Counts
	}{c.Pairs, c.Read(), c})
}
