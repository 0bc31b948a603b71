//go:build !linux

package spill

import (
	"errors"
	"os"
)

// nameless returns an error, because only Linux supports files that never have a name.
func nameless(string) (*os.File, error) { return nil, errors.ErrUnsupported }
