package tool

import (
	"fmt"
	"io/fs"

	"doppel/pkg/tool/flags"
)

// A stageError is an error that occurred in a stage of a run. The run prints it as its own.
type stageError struct {
	Stage string
	Err   error
}

func (s *stageError) Error() string { return s.Stage + ": " + messageOf(s.Err) }

func (s *stageError) Unwrap() error { return s.Err }

// Exit is an error that ends a run without a message. Its value is the exit status of the run.
type Exit int

func (x Exit) Error() string { return fmt.Sprintf("exit status %d", int(x)) }

// UsageError returns an error that ends the run with status 2 and a hint to try --help.
func UsageError(format string, args ...any) error { return flags.UsageError(format, args...) }

// messageOf returns the message of an error. The message of a *fs.PathError begins with the file's
// name and leaves out the operation.
func messageOf(err error) string {
	if p, ok := err.(*fs.PathError); ok {
		return p.Path + ": " + p.Err.Error()
	}
	return err.Error()
}

// A message of more than maxMessage runes is printed without its middle, which usually quotes the
// input. Its last messageEnd runes, which describe the fault, are always printed.
const maxMessage, messageEnd = 400, 100
