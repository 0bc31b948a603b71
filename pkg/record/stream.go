package record

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"

	"doppel/pkg/files"
	"doppel/pkg/line/seal"
	"doppel/pkg/msg"
	"doppel/pkg/record/dataform"
)

// A Stream is an open input. Read returns its decompressed bytes.
type Stream struct {
	Name    string // name for messages, "<stdin>" for standard input
	r       io.Reader
	closer  []func() error
	plain   bool                      // the bytes are decoded already, so Read does not look for magic bytes
	packing string                    // the name of the compression format, or ""
	file    *File                     // the file if it is read without decoding, otherwise nil
	ranges  files.Ranges              // the bytes that Read returns, in any order; nil if that is impossible
	jobs    int                       // see Input.Jobs
	recoded bool                      // Read converts the bytes to UTF-8
	regular bool                      // the input is a regular file, not a pipe
	copied  func(io.Reader) io.Reader // returns a reader that also copies the bytes it reads; nil if no copy is wanted
}

// OpenStream opens the named file, or stdin for "-". Read decompresses the file if it begins with
// the magic bytes of gzip, zstd, bzip2 or xz, and joins concatenated members or frames. If the file
// ends inside a member or frame, Read returns the bytes decoded up to that point, and then an
// error.
func OpenStream(name string, stdin io.Reader) (*Stream, error) {
	s, err := openRaw(name, stdin)
	if err != nil {
		return nil, err
	}
	if err := s.decompress(); err != nil {
		s.Close()
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	return s, nil
}

func openRaw(name string, stdin io.Reader) (*Stream, error) {
	if name == "-" {
		f, ok := stdin.(*os.File)
		return &Stream{Name: "<stdin>", r: stdin, regular: ok && fileOf(f) != nil}, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	file := fileOf(f)
	return &Stream{Name: name, r: f, file: file, regular: file != nil, closer: []func() error{f.Close}}, nil
}

// unseal makes the stream check and remove the seals that an earlier version wrote (see package
// seal). If lines do not match their seal, Read returns an error for a regular file. For a pipe, Read
// instead passes a note to the given function, as for each seal; the function may be nil.
func (s *Stream) unseal(null bool, note func(name, note string)) {
	br, buffered := s.r.(*bufio.Reader)
	if !buffered {
		br = bufio.NewReaderSize(s.r, 1<<17)
	}
	s.r, s.file = seal.NewReader(br, null, !s.regular, func(text string) {
		if note != nil {
			note(s.Name, text)
		}
	}), nil
	s.ranges = nil
}

// checkSize makes Read check that all bytes of a regular file are read.
func (s *Stream) checkSize() {
	if f, ok := s.r.(*os.File); ok {
		s.r = files.Whole(f)
		s.ranges, _ = s.r.(files.Ranges)
	}
}

// decompress makes Read decode the stream if it begins with the magic bytes of a compression
// format.
func (s *Stream) decompress() error {
	if s.plain {
		return nil
	}
	s.checkSize()
	br := bufio.NewReaderSize(s.r, 1<<17)
	s.r = br
	magic, _ := br.Peek(magicBytes) // a later Read returns the error of a short or failed Peek
	packing := packingOf(magic)
	if packing == "" {
		if s.regular {
			first, _ := br.Peek(firstBytes)
			return checkPacked(s.Name, first)
		}
		return nil
	}
	z, err := newUnpacker(packing, br, s.jobs)
	if err != nil {
		return readError(err, s.Name)
	}
	s.r, s.packing, s.file, s.ranges = z, packing, nil, nil
	s.closer = append(s.closer, z.Close)
	if s.copied != nil && packing != "zstd" { // decoding zstd again is as fast as reading a copy
		s.r = s.copied(s.r)
	}
	return nil
}

// firstBytes is the number of bytes by which checkPacked recognises text.
const firstBytes = 256

// Packed returns the name of the stream's compression format, such as "gzip", or "" if there is
// none.
func (s *Stream) Packed() string {
	if s.plain {
		return dataform.PackingOf(s.Name)
	}
	return s.packing
}

// Read implements io.Reader. Its errors begin with the name of the stream.
func (s *Stream) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if err != nil && err != io.EOF {
		err = s.nameError(err)
	}
	return n, err
}

// discard drops the bytes that have been read ahead, and returns their number.
func (s *Stream) discard() int64 {
	br, ok := s.r.(*bufio.Reader)
	if !ok {
		return 0
	}
	n, _ := br.Discard(br.Buffered())
	return int64(n)
}

// nameError returns an error of the stream's reader in plainer words, after the name of the stream.
func (s *Stream) nameError(err error) error {
	wide := errors.Is(err, zstd.ErrWindowSizeExceeded)
	broken := errors.As(err, new(*seal.Broken))
	err = readError(err, s.Name)
	if p, ok := err.(*os.PathError); ok {
		err = p.Err // drop the name, which is added below
	}
	if err = fmt.Errorf("%s: %w", s.Name, err); broken {
		err = msg.WithHint(err, "if you changed the file yourself, remove the seal: grep -v '#doppel sealed'%s", shellName(s.Name))
	} else if wide {
		err = msg.WithHint(err, "the file was compressed by zstd --long or --ultra; decompress it: zstd -dc --long=31%s |", shellName(s.Name))
	}
	return err
}

// Close closes the file and its decoder. Standard input stays open.
func (s *Stream) Close() error {
	var first error
	for i := len(s.closer) - 1; i >= 0; i-- {
		if err := s.closer[i](); first == nil {
			first = err
		}
	}
	return first
}

func seekable(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular()
}
