package dataform

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"

	"doppel/pkg/msg"
	"doppel/pkg/record/zst"
)

// A Compression is a compression format of a stream.
type Compression int

// The compressions.
const (
	Plain Compression = iota // uncompressed
	Gzip
	Zstd
)

// CompressionOf returns the compression that the suffix of a file name selects: Gzip for .gz, Zstd
// for .zst, and otherwise Plain.
func CompressionOf(name string) Compression {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".gz":
		return Gzip
	case ".zst":
		return Zstd
	}
	return Plain
}

// memberBytes and frameBytes are the numbers of uncompressed bytes in one gzip member and one zstd
// frame. Members and frames are compressed separately, so that all cores can compress, and readers
// treat them as one stream. A small output has only one member or frame, so it is as small as if it
// were not divided.
const (
	memberBytes  = 1 << 20
	frameBytes   = 4 << 20
	minPartBytes = 64 << 10 // minimum size of a member or frame, however many outputs share memory
)

// A Packing says how an output is compressed.
type Packing struct {
	Compression        // compression of a stream of lines
	Codec       string // codec of Parquet columns; "" means the input's codec, or zstd if the input is not Parquet
	Level       int    // level of the compression or codec; 0 means the default
	Jobs        int    // number of goroutines that compress; 0 means 1
	Among       int    // number of simultaneous outputs, which share the memory of one; 0 means 1
}

// Check returns an error if the codec is unknown, or if the level is out of range for the
// compression or codec.
func (p Packing) Check() error {
	levels := [...]int{Gzip: 9, Zstd: 19} // highest level of each compression; the lowest is 1
	most := levels[p.Compression]
	if p.Codec == "zstd" {
		most = levels[Zstd]
	}
	switch {
	case p.Codec != "" && !slices.Contains(codecs, p.Codec):
		return fmt.Errorf("--codec %q: want %s", p.Codec, msg.Or(codecs))
	case p.Level != 0 && most == 0:
		return fmt.Errorf("--level applies only to output that ends in .gz or .zst, or has --codec zstd")
	case p.Level < 0 || p.Level > most:
		return fmt.Errorf("--level %d: want 1 to %d", p.Level, most)
	}
	return nil
}

// codecs are the valid values of Packing.Codec other than "".
var codecs = []string{"none", "snappy", "lz4_raw", "zstd"}

// NewWriter returns a writer that compresses lines and writes them to w. If a codec is set, the
// writer does not compress, because Parquet columns are compressed inside the file. The output does
// not depend on the number of goroutines. Close ends the stream, which may be empty, and leaves w
// open.
func (p Packing) NewWriter(w io.Writer) (io.WriteCloser, error) {
	if p.Codec != "" {
		return plainWriter{w}, nil
	}
	if err := p.Check(); err != nil {
		return nil, err
	}
	var encode zst.Encoder
	size := memberBytes
	switch p.Compression {
	case Gzip:
		encode = gzipMember(cmp.Or(p.Level, gzip.DefaultCompression))
	case Zstd:
		encode, size = zst.NewEncoder(max(p.Level, 1)), frameBytes
	default:
		return plainWriter{w}, nil
	}
	return newParts(w, encode, max(size/max(p.Among, 1), minPartBytes), p.Jobs), nil
}

type plainWriter struct{ io.Writer }

func (plainWriter) Close() error { return nil }

// gzipMember returns an encoder whose output is one gzip member.
func gzipMember(level int) zst.Encoder {
	pool := sync.Pool{New: func() any {
		z, err := gzip.NewWriterLevel(io.Discard, level)
		if err != nil {
			panic(err) // cannot happen, because Check has accepted the level
		}
		return z
	}}
	return func(dst, src []byte) []byte {
		w := bytes.NewBuffer(dst)
		z := pool.Get().(*gzip.Writer)
		z.Reset(w)
		z.Write(src)
		z.Close() // Write and Close cannot fail, because w is in memory
		pool.Put(z)
		return w.Bytes()
	}
}
