// Package scratch makes temporary files that have no name.
package scratch

import "os"

// Create returns a temporary file, open for reading and writing with mode
// 0600 in $TMPDIR, that is unlinked already: nothing is left behind however
// the process ends, SIGPIPE and SIGKILL included.
func Create() (*os.File, error) {
	f, err := os.CreateTemp("", "doppel")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
