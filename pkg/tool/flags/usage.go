package flags

import "fmt"

// A Usage is an error in how a command is used.
type Usage struct{ error }

// Unwrap returns the error itself.
func (u Usage) Unwrap() error { return u.error }

// UsageError returns an error that ends the run with status 2 and a hint to try --help.
func UsageError(format string, args ...any) error { return Usage{fmt.Errorf(format, args...)} }
