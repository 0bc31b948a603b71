package record

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"doppel/pkg/msg"
)

// The parts of a file are compressed separately, so any part can be read without the others. The
// index of such a file is a text file with the size of each part in bytes, one per line.

// IndexName returns the name of the index of a file in parts.
func IndexName(name string) string { return name + ".parts" }

// WriteIndex writes to w the index of a file whose parts have the given sizes.
func WriteIndex(w io.Writer, sizes []int64) error {
	for _, n := range sizes {
		if _, err := fmt.Fprintln(w, n); err != nil {
			return err
		}
	}
	return nil
}

// limit restricts a stream to one part of its file. Parts are numbered from 1.
func (s *Stream) limit(part int) error {
	f, ok := s.r.(*os.File)
	if !ok || !s.regular {
		return fmt.Errorf("%s: want a regular file, because --part reads a range of it", s.Name)
	}
	begin, end, all, err := readIndex(IndexName(f.Name()), part)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil && info.Size() != all {
		err = fmt.Errorf("%s: the file has %d bytes, but its parts have %d", s.Name, info.Size(), all)
	}
	s.r, s.file = io.NewSectionReader(f, begin, end-begin), nil
	return err
}

// readIndex returns the byte range of a part and the total size of all parts.
func readIndex(name string, part int) (begin, end, all int64, err error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return 0, 0, 0, msg.WithHint(fmt.Errorf("%s: %w", name, err.(*os.PathError).Err), "--part reads files written by {lshkeys} --parts, each with its index FILE.parts")
	} else if err != nil {
		return 0, 0, 0, err
	}
	number := 0
	for line := range strings.Lines(string(text)) {
		n, err := strconv.ParseUint(strings.TrimSuffix(line, "\n"), 10, 62)
		if number++; err != nil {
			return 0, 0, 0, fmt.Errorf("%s:%d: invalid size %.20q: want the number of bytes in a part", name, number, line)
		}
		if number == part {
			begin, end = all, all+int64(n)
		}
		all += int64(n)
	}
	if part > number {
		return 0, 0, 0, fmt.Errorf("%s: invalid part %d: want 1 to %d", name, part, number)
	}
	return begin, end, all, nil
}
