package tool

import (
	"fmt"
	"io/fs"
)

// Exit is an error that ends a run with this status and no message.
type Exit int

func (x Exit) Error() string { return fmt.Sprintf("exit status %d", int(x)) }

type usageError struct{ error }

func (u usageError) Unwrap() error { return u.error }

// UsageError returns an error of usage: status 2 and a hint at --help.
func UsageError(format string, args ...any) error {
	return usageError{fmt.Errorf(format, args...)}
}

// told returns the message of an error. That of a file begins with its name, and not
// with the call of the system that failed.
func told(err error) string {
	if p, ok := err.(*fs.PathError); ok {
		return p.Path + ": " + p.Err.Error()
	}
	return err.Error()
}

// What a message has at most of text that came from the input, in runes: of a line
// that is no name of a file, its begin and what is wrong.
const longest, itsEnd = 400, 100

// brief returns a message without its middle if it is very long.
func brief(message string) string {
	r := []rune(message)
	if len(r) <= longest {
		return message
	}
	return string(r[:longest-itsEnd]) + " … " + string(r[len(r)-itsEnd:])
}
