// Package spill holds on disk what does not fit into memory.
//
// There is one kind of file, a scratch file without a name. In it lies a [Log],
// bytes that are appended and read again at any place, also through a [Window];
// a [Spool] is a log of entries of one to three words, and a [Sorter] is a spool
// and blocks in memory. The zero value of a log and of a spool is empty and
// ready; none makes a file before its buffer of 256 KiB is full, so what is
// small never meets the disk.
//
// An error of writing is kept, and returned by all that comes after it.
package spill

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
