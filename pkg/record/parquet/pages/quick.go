package pages

import (
	"github.com/klauspost/compress/s2"
	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/compress/snappy"
	"github.com/parquet-go/parquet-go/compress/zstd"
	"github.com/parquet-go/parquet-go/format"

	"doppel/pkg/record/zst"
)

// A zstdCodec compresses with the encoder of package zst.
type zstdCodec struct {
	zstd.Codec
	encode zst.Encoder
}

func (c *zstdCodec) Encode(dst, src []byte) ([]byte, error) { return c.encode(dst[:0], src), nil }

var quickZstd = &zstdCodec{encode: zst.NewEncoder(1)}

// A quickSnappy compresses with package s2, because parquet-go's snappy encoder is slow.
type quickSnappy struct{ snappy.Codec }

func (quickSnappy) Encode(dst, src []byte) ([]byte, error) { return s2.EncodeSnappy(dst, src), nil }

// A Codec is a compression codec for pages, with its level.
type Codec struct {
	format.CompressionCodec
	encoder compress.Codec
	level   int // 0 means the default
}

// CodecNamed returns the codec with the given name, which is none, snappy, lz4_raw or zstd. For ""
// it returns nil. The level applies only to zstd.
func CodecNamed(name string, level int) *Codec {
	if name == "" {
		return nil
	}
	c := &Codec{level: level, CompressionCodec: map[string]format.CompressionCodec{
		"none": format.Uncompressed, "snappy": format.Snappy, "lz4_raw": format.Lz4Raw, "zstd": format.Zstd,
	}[name]}
	if c.encoder = quickCodec(c.CompressionCodec); name == "zstd" && level > 0 {
		c.encoder = &zstdCodec{encode: zst.NewEncoder(level)}
	}
	return c
}

// Encoder returns the encoder of the codec, or a zstd encoder if c is nil.
func (c *Codec) Encoder() compress.Codec {
	if c == nil {
		return &pq.Zstd
	}
	return c.encoder
}

// differs reports whether pages that are compressed with the given codec must be compressed again.
func (c *Codec) differs(from format.CompressionCodec) bool {
	return c != nil && (c.level > 0 || c.CompressionCodec != from)
}

// codecFor returns the codec for the copy of a page. The original has the given codec.
func (c *Codec) codecFor(from format.CompressionCodec) format.CompressionCodec {
	if c == nil {
		return from
	}
	return c.CompressionCodec
}

// encoderFor returns the encoder for the copy of a page. The original has the given codec.
func (c *Codec) encoderFor(from format.CompressionCodec) compress.Codec {
	if c == nil {
		return quickCodec(from)
	}
	return c.encoder
}

// quickCodec returns a fast encoder for pages that cannot be copied unchanged. Its output is about
// as large as that of other writers with their default settings; copy.go in package parquet has
// figures.
func quickCodec(c format.CompressionCodec) compress.Codec {
	switch c {
	case format.Zstd:
		return quickZstd
	case format.Snappy:
		return &quickSnappy{}
	}
	return pq.LookupCompressionCodec(c)
}
