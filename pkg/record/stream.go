package record

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"doppel/pkg/line/seal"
	"doppel/pkg/msg"
)

// A Stream is an open input. Read returns its decompressed bytes.
type Stream struct {
	Name    string // name for messages, "<stdin>" for standard input
	r       io.Reader
	closer  []func() error
	plain   bool                      // the bytes are decoded already, so Read does not look for magic bytes
	packing string                    // the name of the compression format, or ""
	file    *File                     // the file if it is read without decoding, otherwise nil
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

// Sealed reports whether a file of lines begins with a seal, which is a line with a checksum (see
// package seal). It also returns true for a file that is not regular, such as a pipe, because such
// a file needs no seal.
func Sealed(name string) (bool, error) {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return true, err
	}
	s, err := OpenStream(name, nil)
	if err != nil {
		return false, err
	}
	defer s.Close()
	return seal.Begins(bufio.NewReader(s.r)), nil
}

// unseal makes the stream check and remove seals. If lines do not match their seal, Read returns an
// error for a regular file. For a pipe, Read instead calls the given function, unless it is nil.
func (s *Stream) unseal(null bool, changed func(name string, why error)) {
	br, buffered := s.r.(*bufio.Reader)
	if !buffered {
		br = bufio.NewReaderSize(s.r, 1<<17)
	}
	report := func(b *seal.Broken) {
		if changed != nil {
			changed(s.Name, b)
		}
	}
	if s.regular {
		report = nil
	}
	s.r, s.file = seal.NewReader(br, null, report), nil
}

var (
	gzipMagic = []byte{0x1f, 0x8b}
	zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}
	bz2Magic  = []byte("BZh")
	xzMagic   = []byte{0xfd, '7', 'z', 'X', 'Z', 0}
)

// decompress makes Read decode the stream if it begins with the magic bytes of a compression
// format.
func (s *Stream) decompress() error {
	if s.plain {
		return nil
	}
	if f, ok := s.r.(*os.File); ok {
		s.r = Whole(f)
	}
	br := bufio.NewReaderSize(s.r, 1<<17)
	s.r = br
	switch magic, _ := br.Peek(6); { // a later Read returns the error of a short or failed Peek
	case bytes.HasPrefix(magic, gzipMagic):
		z, err := gzip.NewReader(br)
		if err != nil {
			return err
		}
		s.r, s.packing = z, "gzip"
		s.closer = append(s.closer, z.Close)
	case bytes.HasPrefix(magic, bz2Magic) && len(magic) > 4 && '1' <= magic[3] && magic[3] <= '9' && (magic[4] == 0x31 || magic[4] == 0x17):
		s.r, s.packing = bzip2.NewReader(br), "bzip2" // the decoder also reads concatenated streams
	case bytes.Equal(magic, xzMagic):
		z, err := xz.NewReader(br)
		if err != nil {
			return err
		}
		s.r, s.packing = z, "xz"
	case bytes.HasPrefix(magic, zstdMagic):
		z, err := zstd.NewReader(br)
		if err != nil {
			return err
		}
		s.r, s.packing, s.file = z, "zstd", nil
		s.closer = append(s.closer, func() error { z.Close(); return nil })
		return nil // make no copy, because decoding zstd again is as fast as reading a copy
	default:
		return nil
	}
	if s.file = nil; s.copied != nil {
		s.r = s.copied(s.r)
	}
	return nil
}

// Packed returns the name of the stream's compression format, such as "gzip", or "" if there is
// none.
func (s *Stream) Packed() string {
	if s.plain {
		return formatBySuffix[strings.ToLower(filepath.Ext(s.Name))]
	}
	return s.packing
}

// Read implements io.Reader. Its errors begin with the name of the stream.
func (s *Stream) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if err != nil && err != io.EOF {
		wide := errors.Is(err, zstd.ErrWindowSizeExceeded)
		broken := errors.As(err, new(*seal.Broken))
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = fmt.Errorf("truncated compressed file: %w", err)
		}
		if p, ok := err.(*os.PathError); ok {
			err = p.Err // drop the name, which is added below
		}
		if err = fmt.Errorf("%s: %w", s.Name, err); broken {
			err = msg.WithHint(err, "if you changed the file yourself, remove the seal: grep -v '#doppel sealed'%s", shellName(s.Name))
		} else if wide {
			err = msg.WithHint(err, "the file was compressed by zstd --long or --ultra; decompress it: zstd -dc --long=31%s |", shellName(s.Name))
		}
	}
	return n, err
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
