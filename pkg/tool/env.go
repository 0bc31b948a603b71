package tool

import (
	"bufio"
	"fmt"
	"os"
	"sync"
	"sync/atomic"

	"doppel/pkg/record"
)

// An Env is a command's view of its run: its streams and the shared flags.
type Env struct {
	Std
	Name string
	Out  *bufio.Writer // standard output or the file of -o; Run checks its flush

	Jobs       int  // -j: threads, at least 1
	KeepGoing  bool // -k
	Null       bool // -0
	JSON       bool // --json
	Mem        Size // --mem, in bytes
	Records    record.Options
	OutputName string // -o, or ""

	Progress Progress
	cold     bool // see HaveRead
	troubles atomic.Int64
	mu       sync.Mutex // guards Stderr, and outputs against signals
	outputs  []*output

	wantHelp, wantVersion, wantFlags bool
	forceProgress, noProgress        bool
	field                            []string
}

// Warn reports trouble that does not end the run but its status: 2.
func (e *Env) Warn(err error) {
	e.troubles.Add(1)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.message(err)
}

// Note tells the user something that is no trouble, on standard error.
func (e *Env) Note(format string, args ...any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	fmt.Fprintf(e.Stderr, "%s: %s\n", e.Name, Printable(fmt.Sprintf(format, args...)))
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

// Terminator returns what ends a line of names: NUL under -0, else LF.
func (e *Env) Terminator() byte {
	if e.Null {
		return 0
	}
	return '\n'
}

// Input returns the record inputs that the operands name.
func (e *Env) Input(names []string) record.Input {
	return record.Input{Names: names, Stdin: e.Stdin}
}

// Open opens one operand that is read as a stream of lines, with "-" or ""
// for standard input. Compression is found by its magic bytes.
func (e *Env) Open(name string) (*record.Stream, error) {
	return record.OpenStream(name, e.Stdin)
}

// isTerminal reports whether f is a character device such as a terminal.
func isTerminal(f any) bool {
	file, ok := f.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && term(file)
}
