package tool

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Exit is an error that ends a run with this status and no message.
type Exit int

func (x Exit) Error() string { return fmt.Sprintf("exit status %d", int(x)) }

type usageError struct{ error }

// UsageError returns an error of usage: status 2 and a hint at --help.
func UsageError(format string, args ...any) error {
	return usageError{fmt.Errorf(format, args...)}
}

type hintError struct {
	error
	hint string
}

func (h hintError) Unwrap() error { return h.error }

// Hint returns the second line.
func (h hintError) Hint() string { return h.hint }

// WithHint returns err with a second line that says what may help.
func WithHint(err error, format string, args ...any) error {
	return hintError{err, fmt.Sprintf(format, args...)}
}

// Printable returns s with everything escaped that could act on a terminal:
// control characters and bytes that are not UTF-8.
func Printable(s string) string {
	if utf8.ValidString(s) && strings.IndexFunc(s, unicode.IsControl) < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if unicode.IsControl(r) || r == utf8.RuneError && n == 1 {
			q := strconv.Quote(s[i : i+n])
			b.WriteString(q[1 : len(q)-1])
		} else {
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
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
