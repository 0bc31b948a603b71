package spill

import "os"

// Create returns a temporary file, open for reading and writing with mode
// 0600 in $TMPDIR, that has no name: nothing is left behind however the process
// ends, SIGPIPE and SIGKILL included.
func Create() (*os.File, error) {
	if f, err := nameless(os.TempDir()); err == nil {
		return f, nil
	}
	return unlinked() // which says what is wrong with the directory, if that is it
}

// unlinked creates a file by a name and removes that. Between the two a kill leaves
// an empty file.
func unlinked() (*os.File, error) {
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
