package spill

import "os"

// Create returns a temporary file that has no name. The file is on the file system of $TMPDIR, and
// is open for reading and writing, with mode 0600. No file remains after the process ends, even if
// a signal such as SIGPIPE or SIGKILL ends the process. Without support for nameless files, an
// empty file remains if the process is killed during Create.
func Create() (*os.File, error) {
	if f, err := nameless(os.TempDir()); err == nil {
		return f, nil
	}
	return unlinked() // if the directory is unusable, the error of unlinked says why
}

// unlinked creates a file and removes its name. If the process is killed between these two steps,
// an empty file remains.
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
