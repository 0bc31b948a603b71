package pages

import (
	"fmt"
	"io"

	"github.com/klauspost/compress/s2"
	"github.com/parquet-go/parquet-go/format"
)

// inflatedSize returns the size that src has when it is decompressed, without
// allocating it.
func inflatedSize(src []byte, codec format.CompressionCodec) (int64, error) {
	switch codec {
	case format.Snappy: // 64 bytes of three at most
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

// lz4Size adds up the lengths of the sequences of a block: a token whose halves
// are the number of literals and that of bytes to repeat, less four; 15 goes on
// in the bytes that follow.
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
