package fuzzysum

import (
	"io"
	"os"

	"doppel/pkg/files"
)

// A message is one input.
type message struct {
	id []byte // nil: it has none
	content
}

// A content is what a message holds. Those of several messages may be read at
// the same time.
type content interface {
	text() ([]byte, error)    // all of it
	copyTo(w io.Writer) error // piece by piece
	size() int                // bytes of it that are in memory already
}

// A buffer is a message that is in memory.
type buffer []byte

func (b buffer) size() int             { return len(b) }
func (b buffer) text() ([]byte, error) { return b, nil }
func (b buffer) copyTo(w io.Writer) error {
	_, err := w.Write(b)
	return err
}

// A stream is read to its end.
type stream struct{ io.Reader }

func (s stream) size() int             { return 0 }
func (s stream) text() ([]byte, error) { return io.ReadAll(s) }
func (s stream) copyTo(w io.Writer) error {
	_, err := io.Copy(w, s)
	return err
}

// An operand is what the user names: a file of any kind.
type operand string

func (o operand) size() int             { return 0 }
func (o operand) text() ([]byte, error) { return os.ReadFile(string(o)) }
func (o operand) copyTo(w io.Writer) error {
	f, err := os.Open(string(o))
	if err != nil {
		return err
	}
	defer f.Close()
	return stream{f}.copyTo(w)
}

// A file is what a list names: a list made by a program may have a FIFO in it, and
// to open that can take for ever.
type file []byte

func (f file) size() int             { return 0 }
func (f file) text() ([]byte, error) { return files.Append(nil, f, files.Follow) }
func (f file) copyTo(w io.Writer) error {
	in, err := files.Open(f, files.Follow)
	if err != nil {
		return err
	}
	defer in.Close()
	if _, err := io.Copy(w, &in); err != nil {
		return &files.Error{Name: string(f), Err: err}
	}
	return nil
}
