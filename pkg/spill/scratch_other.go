//go:build !linux

package spill

import (
	"errors"
	"os"
)

// nameless fails: only Linux supports files that never had a name.
func nameless(string) (*os.File, error) { return nil, errors.ErrUnsupported }
