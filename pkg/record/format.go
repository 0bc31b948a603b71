package record

import (
	"bufio"
	"bytes"
	"io"
	"os"

	"doppel/pkg/record/dataform"
)

// A Format is a file format that does not consist of lines. The package that implements a format
// registers it, so a tool links the code of a format only if it imports that package.
type Format struct {
	Kind  dataform.Kind
	Magic string // the first bytes of every file of the format; at most 4
	// Open returns a source of the records of f, which also have the given fields.
	Open func(f *os.File, parts []Partition, opt *Options) (Source, error)
}

var formats []*Format

// Register adds a format. It must be called only from init functions.
func Register(f *Format) { formats = append(formats, f) }

// format returns the registered format of the stream, or nil for lines.
func (s *Stream) format() (*Format, error) {
	if s.plain {
		return nil, nil
	}
	magic := make([]byte, 4)
	if f, ok := s.r.(*os.File); ok && seekable(f) {
		at, err := f.Seek(0, io.SeekCurrent) // another program may have read the beginning of standard input
		if err != nil {
			return nil, err
		}
		n, err := f.ReadAt(magic, at)
		if err != nil && err != io.EOF {
			return nil, err
		}
		return byMagic(magic[:n]), nil
	}
	br := bufio.NewReaderSize(s.r, 1<<17)
	s.r = br
	magic, _ = br.Peek(len(magic)) // a later Read returns the error of a failed Peek
	return byMagic(magic), nil
}

// byMagic returns the registered format of data that begins with magic, or nil.
func byMagic(magic []byte) *Format {
	for _, f := range formats {
		if bytes.HasPrefix(magic, []byte(f.Magic)) {
			return f
		}
	}
	return nil
}
