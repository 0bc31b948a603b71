package record

import (
	"io"
	"path/filepath"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// A Compression is a way to write streams that OpenStream reads.
type Compression int

// The compressions.
const (
	Plain Compression = iota // none
	Gzip
	Zstd
)

// CompressionOf returns the compression that the end of a file's name stands
// for: .gz, .zst, or else none.
func CompressionOf(name string) Compression {
	switch filepath.Ext(name) {
	case ".gz":
		return Gzip
	case ".zst":
		return Zstd
	}
	return Plain
}

// NewWriter returns a writer that compresses to w. Its Close ends the stream
// and leaves w open; an empty stream is a valid one.
func (c Compression) NewWriter(w io.Writer) (io.WriteCloser, error) {
	switch c {
	case Gzip:
		return gzip.NewWriter(w), nil
	case Zstd:
		return zstd.NewWriter(w, zstd.WithZeroFrames(true))
	}
	return plainWriter{w}, nil
}

type plainWriter struct{ io.Writer }

func (plainWriter) Close() error { return nil }
