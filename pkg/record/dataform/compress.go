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

	"doppel/pkg/record/zst"
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
	switch strings.ToLower(filepath.Ext(name)) {
	case ".gz":
		return Gzip
	case ".zst":
		return Zstd
	}
	return Plain
}

// How much is compressed by itself, as a member of gzip or a frame of zstd, so
// that all cores take part. Readers of the field read them as one stream. What is
// small loses nothing: it is one part.
const (
	memberBytes = 1 << 20
	frameBytes  = 4 << 20
	leastBytes  = 64 << 10 // of one of many outputs
)

// A Packing is how an output is compressed.
type Packing struct {
	Compression        // of a stream of lines
	Codec       string // of the columns of Parquet; "" is as they came, or zstd
	Level       int    // of either; 0 is the usual one
	Jobs        int    // goroutines that compress; 0 is one
	Among       int    // outputs that are written at once, in the memory of one; 0 is one
}

// Check refuses a level or a codec that there is none of.
func (p Packing) Check() error {
	levels := [...]int{Gzip: 9, Zstd: 19} // the largest, from 1
	most := levels[p.Compression]
	if p.Codec == "zstd" {
		most = levels[Zstd]
	}
	switch {
	case p.Codec != "" && !slices.Contains(codecs, p.Codec):
		return fmt.Errorf("codec %q: want %s", p.Codec, strings.Join(codecs, ", "))
	case p.Level != 0 && most == 0:
		return fmt.Errorf("--level applies only to output that ends in .gz or .zst, or has --codec zstd")
	case p.Level < 0 || p.Level > most:
		return fmt.Errorf("level %d: want 1 to %d", p.Level, most)
	}
	return nil
}

// codecs are the ways to compress the columns of Parquet.
var codecs = []string{"none", "snappy", "lz4_raw", "zstd"}

// NewWriter returns a writer that compresses to w. What it writes does not depend
// on the number of goroutines. Its Close ends the stream and leaves w open; an
// empty stream is a valid one.
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
	return newParts(w, encode, max(size/max(p.Among, 1), leastBytes), p.Jobs), nil
}

type plainWriter struct{ io.Writer }

func (plainWriter) Close() error { return nil }

// gzipMember returns what makes members.
func gzipMember(level int) zst.Encoder {
	pool := sync.Pool{New: func() any {
		z, err := gzip.NewWriterLevel(io.Discard, level)
		if err != nil {
			panic(err) // of a level that was checked
		}
		return z
	}}
	return func(dst, src []byte) []byte {
		w := bytes.NewBuffer(dst)
		z := pool.Get().(*gzip.Writer)
		z.Reset(w)
		z.Write(src)
		z.Close() // to memory: neither can fail
		pool.Put(z)
		return w.Bytes()
	}
}
