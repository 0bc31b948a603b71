package record

import (
	"bufio"
	"bytes"
	"io"
	"os"

	"doppel/pkg/record/dataform"
)

// A Format is a kind of file that is not a stream of lines. A package that
// knows one registers it, so that only the tools that import that package
// carry its weight.
type Format struct {
	Magic string // the first bytes of such a file
	// Open returns a source of the records of f.
	Open func(f *os.File, opt *Options) (Source, error)
	// Copy writes to w, as one file of the format, the records of the files
	// that are selected, with schema and values unchanged but for what is cut.
	Copy func(w io.Writer, files []*os.File, how dataform.Packing, what Selection) error
	// Alike returns an error unless Copy can make one file of all the files.
	Alike func(files []*os.File) error
	// Lines writes the same records as JSON lines.
	Lines func(w io.Writer, files []*os.File, what Selection) error
	// Writer returns a sink that makes a file of the format from JSON lines.
	Writer func(w io.Writer, how dataform.Packing) LineWriter
}

// A LineWriter takes lines, without their ends, until it is closed.
type LineWriter interface {
	Learn(line []byte) error // of a line that is not written: its columns are, in all others
	WriteLine([]byte) error
	Close() error
}

var formats []*Format

// Register makes a format known. It is for init functions.
func Register(f *Format) { formats = append(formats, f) }

// format returns the registered format of the stream, or nil for lines.
func (s *Stream) format() (*Format, error) {
	if s.plain {
		return nil, nil
	}
	magic := make([]byte, 4)
	if f, ok := s.r.(*os.File); ok && seekable(f) {
		n, err := f.ReadAt(magic, 0)
		if err != nil && err != io.EOF {
			return nil, err
		}
		return byMagic(magic[:n]), nil
	}
	br := bufio.NewReaderSize(s.r, 1<<17)
	s.r = br
	magic, _ = br.Peek(len(magic)) // a failed Peek is met again by Read
	return byMagic(magic), nil
}

// byMagic returns the registered format of what begins so, or nil.
func byMagic(magic []byte) *Format {
	for _, f := range formats {
		if bytes.HasPrefix(magic, []byte(f.Magic)) {
			return f
		}
	}
	return nil
}
