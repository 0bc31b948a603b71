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
	"doppel/pkg/wording"
)

// A Stream is an input opened for reading, decompressed.
type Stream struct {
	Name    string // for messages: "<stdin>" for standard input
	r       io.Reader
	closer  []func() error
	plain   bool                      // it is decoded, whatever it begins with
	packing string                    // the name of the format it is decoded from, or ""
	file    *File                     // that it reads as it is, or nil
	regular bool                      // it is from a regular file, which nothing changes on its way here
	copied  func(io.Reader) io.Reader // copies what is decoded; nil: that is not wanted
}

// OpenStream opens the named file, or stdin for "-", and decompresses it if
// its first bytes say gzip, zstd, bzip2 or xz; what is concatenated is read
// as one. A stream that ends inside a member or frame gives an error at Read,
// whatever was decoded before.
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

// Sealed reports whether a file of lines begins with a seal, or is not a regular file, which
// need not have one.
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

// unseal has a stream without its seals. Lines that do not match their seal are an error of a
// regular file; those of a pipe are reported to changed.
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

// decompress puts the decoder in front of the reader that the magic calls for.
func (s *Stream) decompress() error {
	if s.plain {
		return nil
	}
	br := bufio.NewReaderSize(s.r, 1<<17)
	s.r = br
	switch magic, _ := br.Peek(6); { // a short or failed Peek is met again by Read
	case bytes.HasPrefix(magic, gzipMagic):
		z, err := gzip.NewReader(br)
		if err != nil {
			return err
		}
		s.r, s.packing = z, "gzip"
		s.closer = append(s.closer, z.Close)
	case bytes.HasPrefix(magic, bz2Magic) && len(magic) > 4 && '1' <= magic[3] && magic[3] <= '9' && (magic[4] == 0x31 || magic[4] == 0x17):
		s.r, s.packing = bzip2.NewReader(br), "bzip2" // joined streams are read as one
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
		return nil // which costs no more than to read a copy
	default:
		return nil
	}
	if s.file = nil; s.copied != nil {
		s.r = s.copied(s.r)
	}
	return nil
}

// Packed returns the name of the format that the stream is decompressed from, or "".
func (s *Stream) Packed() string {
	if s.plain {
		return claimed[strings.ToLower(filepath.Ext(s.Name))]
	}
	return s.packing
}

// Read implements io.Reader; its errors name the stream.
func (s *Stream) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if err != nil && err != io.EOF {
		wide := errors.Is(err, zstd.ErrWindowSizeExceeded)
		broken := errors.As(err, new(*seal.Broken))
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = fmt.Errorf("the compressed file ends too early: %w", err)
		}
		if p, ok := err.(*os.PathError); ok {
			err = p.Err // without the name, which the stream gives
		}
		if err = fmt.Errorf("%s: %w", s.Name, err); broken {
			err = wording.WithHint(err, "after a change on purpose, leave out the seal: grep -v '#doppel sealed'%s", shellName(s.Name))
		} else if wide {
			err = wording.WithHint(err, "it was compressed by zstd --long or --ultra: zstd -dc --long=31%s | decompresses it", shellName(s.Name))
		}
	}
	return n, err
}

// Close closes what OpenStream opened; standard input stays open.
func (s *Stream) Close() error {
	var first error
	for i := len(s.closer) - 1; i >= 0; i-- {
		if err := s.closer[i](); first == nil {
			first = err
		}
	}
	return first
}
