package spill

import "os"

// Create returns a temporary file in $TMPDIR without a name, open for reading and writing with
// mode 0600: however the process ends, SIGPIPE and SIGKILL included, no file remains.
func Create() (*os.File, error) {
	if f, err := nameless(os.TempDir()); err == nil {
		return f, nil
	}
	return unlinked() // its error explains a problem with the directory
}

// unlinked creates a file and removes its name. A kill between the two leaves an empty file.
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
