package wording

import "fmt"

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
