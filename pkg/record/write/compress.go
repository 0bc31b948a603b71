package write

import (
	"bytes"
	"cmp"
	"io"
	"sync"

	"github.com/klauspost/compress/gzip"

	"doppel/pkg/record/dataform"
	"doppel/pkg/record/zst"
)

// memberBytes and frameBytes are the numbers of uncompressed bytes in one gzip member and one zstd
// frame. Members and frames are compressed separately, so that all cores can compress, and readers
// treat them as one stream. A small output has only one member or frame, so it is as small as if it
// were not divided.
const (
	memberBytes  = 1 << 20
	frameBytes   = 4 << 20
	minPartBytes = 64 << 10 // minimum size of a member or frame, however many outputs share memory
)

// Compress returns a writer that compresses lines and writes them to w. If a codec is set, the
// writer does not compress, because Parquet columns are compressed inside the file. The output does
// not depend on the number of goroutines. Close ends the stream, which may be empty, and leaves w
// open.
func Compress(w io.Writer, p dataform.Packing) (io.WriteCloser, error) {
	if p.Codec != "" {
		return plainWriter{w}, nil
	}
	if err := p.Check(); err != nil {
		return nil, err
	}
	var encode zst.Encoder
	size := memberBytes
	switch p.Compression {
	case dataform.Gzip:
		encode = gzipMember(cmp.Or(p.Level, gzip.DefaultCompression))
	case dataform.Zstd:
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
