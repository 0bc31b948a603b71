package pages

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"
)

// checkSum compares the body of a page with its sum, if it has one.
func (p *page) checkSum(raw []byte) error {
	if p.crc != 0 && p.crc != crc32.ChecksumIEEE(raw) {
		return fmt.Errorf("its checksum is another: %w", ErrDamaged)
	}
	return nil
}

// surelyBytes is what is allocated on the word of a page, and surelyTimes how
// many times its size.
const (
	surelyBytes = 1 << 20
	surelyTimes = 64
)

// checkSize refuses a page that says of itself that it is larger than it is. One
// that claims much is decompressed for nothing but its size.
func (p *page) checkSize(raw []byte, codec format.CompressionCodec) error {
	head := p.sizes[0] + p.sizes[1]
	if codec == format.Uncompressed || p.kind == format.DataPageV2 && !p.packed {
		if p.plain != p.body {
			return ErrDamaged
		}
		return nil
	}
	if p.plain <= surelyBytes || p.plain <= surelyTimes*p.body {
		return nil
	}
	n, err := inflatedSize(raw[head:], codec)
	if err == nil && n != p.plain-head {
		err = fmt.Errorf("it has %d bytes, not %d: %w", n, p.plain-head, ErrDamaged)
	}
	return err
}

// inflate makes dst of the body of a page, exactly.
func (p *page) inflate(dst, raw []byte, codec format.CompressionCodec) error {
	if codec == format.Uncompressed || p.kind == format.DataPageV2 && !p.packed {
		copy(dst, raw)
		return nil
	}
	head := p.sizes[0] + p.sizes[1] // levels of version 2 are not compressed
	copy(dst, raw[:head])
	if head == p.plain {
		return nil // nothing but nulls
	}
	return inflate(dst[head:], raw[head:], codec)
}

// inflate decompresses src to dst, which has to be as long as that is.
func inflate(dst, src []byte, codec format.CompressionCodec) (err error) {
	var out []byte
	switch codec {
	case format.Snappy:
		if n, e := s2.DecodedLen(src); e != nil || n != len(dst) {
			return ErrDamaged
		}
		out, err = s2.Decode(dst, src)
	case format.Zstd:
		d := zstdDecoders.Get().(*zstd.Decoder)
		out, err = d.DecodeAll(src, dst[:0:len(dst)])
		zstdDecoders.Put(d)
	case format.Lz4Raw:
		var n int
		n, err = lz4.UncompressBlock(src, dst)
		out = dst[:max(0, n)]
	default:
		return inflateStream(dst, src, codec)
	}
	if err == nil && len(out) != len(dst) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return fmt.Errorf("decompressing by %s: %w (%w)", codec, ErrDamaged, err)
	}
	return nil
}

// zstdDecoders decode at most what fits.
var zstdDecoders = sync.Pool{New: func() any {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		panic(err) // of options
	}
	return d
}}

func inflateStream(dst, src []byte, codec format.CompressionCodec) error {
	r, err := newStream(src, codec)
	if err != nil {
		return err
	}
	if _, err = io.ReadFull(r, dst); err == nil {
		var n int64
		if n, err = io.Copy(io.Discard, io.LimitReader(r, 1)); n > 0 {
			err = errors.New("there is more than the page says")
		}
	}
	if err != nil {
		return fmt.Errorf("decompressing by %s: %w (%w)", codec, ErrDamaged, err)
	}
	return nil
}

// newStream returns a reader of what is compressed.
func newStream(src []byte, codec format.CompressionCodec) (io.Reader, error) {
	r := bytes.NewReader(src)
	switch codec {
	case format.Gzip:
		return gzip.NewReader(r)
	case format.Brotli:
		return brotli.NewReader(r), nil
	case format.Zstd:
		d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(1<<27))
		if err != nil {
			return nil, err
		}
		return d.IOReadCloser(), nil
	}
	return nil, fmt.Errorf("columns compressed by %s cannot be read", codec)
}
