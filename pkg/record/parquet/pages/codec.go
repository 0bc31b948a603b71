package pages

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"
)

// If the decompressed size that a page header states is at most surelyBytes, or at most surelyTimes
// the compressed size, it is trusted, and memory of that size is allocated at once.
const (
	surelyBytes = 1 << 20
	surelyTimes = 64
)

// stored reports whether the body of a page is not compressed.
func (p *page) stored(codec format.CompressionCodec) bool {
	return codec == format.Uncompressed || p.kind == format.DataPageV2 && !p.packed
}

// checkSize checks the decompressed size that a page header states. It trusts a small size (see
// surelyBytes), because inflate checks the actual size later. To check a larger size, checkSize
// decompresses the page without storing the result.
func (p *page) checkSize(raw []byte, codec format.CompressionCodec) error {
	if p.stored(codec) {
		if p.plain != p.body {
			return ErrDamaged
		}
		return nil
	}
	if p.plain <= surelyBytes || p.plain <= surelyTimes*p.body {
		return nil
	}
	head := p.sizes[0] + p.sizes[1]
	n, err := inflatedSize(raw[head:], codec)
	if err == nil && n != p.plain-head {
		err = fmt.Errorf("decompressed size is %d bytes, want %d: %w", n, p.plain-head, ErrDamaged)
	}
	return err
}

// inflateSlack is the number of bytes of capacity after the end of a page with which the decoder of
// zstd copies words instead of bytes, up to the last block. That takes a sixth less time for pages
// of 256 kB.
const inflateSlack = 128<<10 + 16

// inflate decompresses src to dst, and returns an error unless the output has exactly the length of
// dst. It may write to the capacity of dst after its end.
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
		out, err = d.DecodeAll(src, dst[:0])
		zstdDecoders.Put(d)
	case format.Lz4Raw:
		var n int
		n, err = lz4.UncompressBlock(src, dst)
		out = dst[:max(0, n)]
	default:
		var r io.Reader
		if r, err = newStream(src, codec); err != nil {
			return err
		}
		if _, err = io.ReadFull(r, dst); err == nil {
			var n int64
			if n, err = io.Copy(io.Discard, io.LimitReader(r, 1)); n > 0 {
				err = errors.New("more data than the page header says")
			}
		}
		out = dst
	}
	if err == nil && len(out) != len(dst) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return fmt.Errorf("decompressing by %s: %w (%w)", codec, ErrDamaged, err)
	}
	return nil
}

// zstdDecoders is a pool of decoders that return an error if the output does not fit into the
// destination.
var zstdDecoders = sync.Pool{New: func() any {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		panic(err) // only invalid options cause an error
	}
	return d
}}

// newStream returns a reader that decompresses src.
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
	return nil, fmt.Errorf("unsupported compression %s", codec)
}

// inflatedSize returns the decompressed size of src, without allocating the data.
func inflatedSize(src []byte, codec format.CompressionCodec) (int64, error) {
	switch codec {
	case format.Snappy: // 3 compressed bytes encode at most 64 bytes
		n, err := s2.DecodedLen(src)
		if err != nil || n > 22*len(src)+64 {
			return 0, ErrDamaged
		}
		return int64(n), nil
	case format.Lz4Raw:
		return lz4Size(src)
	}
	r, err := newStream(src, codec)
	if err != nil {
		return 0, err
	}
	if c, ok := r.(io.Closer); ok {
		defer c.Close()
	}
	n, err := io.Copy(io.Discard, r)
	if err != nil {
		err = fmt.Errorf("decompressing by %s: %w (%w)", codec, ErrDamaged, err)
	}
	return n, err
}

// lz4Size returns the decompressed size of an LZ4 block, which is the sum of the lengths of its
// sequences. The first byte of a sequence has the number of literals in its high half, and the
// number of bytes to repeat, minus four, in its low half. If a half is 15, the bytes that follow
// are added to it, up to and including the first byte below 255.
func lz4Size(src []byte) (size int64, err error) {
	long := func(n int64) (int64, bool) {
		for more := n == 15; more; {
			if len(src) == 0 {
				return 0, false
			}
			n += int64(src[0])
			more, src = src[0] == 255, src[1:]
		}
		return n, true
	}
	for len(src) > 0 {
		token := src[0]
		src = src[1:]
		n, ok := long(int64(token >> 4))
		if !ok || n > int64(len(src)) {
			return 0, ErrDamaged
		}
		size += n
		if src = src[n:]; len(src) == 0 {
			return size, nil
		}
		if len(src) < 2 {
			return 0, ErrDamaged
		}
		src = src[2:]
		if n, ok = long(int64(token & 15)); !ok {
			return 0, ErrDamaged
		}
		size += n + 4
	}
	return size, nil
}
