package dataform

import (
	"bytes"
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

// Levels returns the largest level that there is, from 1, or 0.
func (c Compression) Levels() int { return [...]int{0, 9, 19}[c] }

// A Packing is how an output is compressed.
type Packing struct {
	Compression        // of a stream of lines
	Codec       string // of the columns of Parquet; "" is as they came, or zstd
	Level       int    // of either; 0 is the usual one
	Jobs        int    // goroutines that compress; 0 is one
	Among       int    // outputs that are written at once, in the memory of one; 0 is one
}

// piece returns how much is compressed by itself, where one output would have that many
// bytes.
func (p Packing) piece(bytes int) int { return max(bytes/max(p.Among, 1), leastBytes) }

// Check refuses a level or a codec that there is none of.
func (p Packing) Check() error {
	most := p.Levels()
	if p.Codec == "zstd" {
		most = Zstd.Levels()
	}
	switch {
	case p.Codec != "" && !slices.Contains(codecs, p.Codec):
		return fmt.Errorf("codec %q: want %s", p.Codec, strings.Join(codecs, ", "))
	case p.Level != 0 && most == 0:
		return fmt.Errorf("a level is of what is written as .gz or .zst, or by the codec zstd")
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
	level := p.Level
	switch p.Compression {
	case Gzip:
		if level == 0 {
			level = gzip.DefaultCompression
		}
		return newParts(w, gzipMember(level), p.piece(memberBytes), p.Jobs), nil
	case Zstd:
		return newParts(w, encoder(zst.NewEncoder(max(level, 1))), p.piece(frameBytes), p.Jobs), nil
	}
	return plainWriter{w}, nil
}

type plainWriter struct{ io.Writer }

func (plainWriter) Close() error { return nil }

// gzipMember returns what makes members.
func gzipMember(level int) encoder {
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
