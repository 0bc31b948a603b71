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

// A zstdCodec compresses by our encoder.
type zstdCodec struct {
	zstd.Codec
	encode zst.Encoder
}

func (c *zstdCodec) Encode(dst, src []byte) ([]byte, error) { return c.encode(dst[:0], src), nil }

var quickZstd = &zstdCodec{encode: zst.NewEncoder(1)}

// A quickSnappy compresses at the speed, and to the size, that snappy has
// elsewhere.
type quickSnappy struct{ snappy.Codec }

func (quickSnappy) Encode(dst, src []byte) ([]byte, error) { return s2.EncodeSnappy(dst, src), nil }

// A Codec is a way to compress pages, at a level.
type Codec struct {
	format.CompressionCodec
	encoder compress.Codec
	level   int // 0: the usual one
}

// CodecNamed returns the codec none, snappy, lz4_raw or zstd, the last one at a
// level, or nil for "".
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

// Encoder returns what compresses; without a codec that is zstd.
func (c *Codec) Encoder() compress.Codec {
	if c == nil {
		return &pq.Zstd
	}
	return c.encoder
}

// differs reports whether pages of a codec have to be compressed anew.
func (c *Codec) differs(from format.CompressionCodec) bool {
	return c != nil && (c.level > 0 || c.CompressionCodec != from)
}

// of returns the codec that pages of that one get.
func (c *Codec) of(from format.CompressionCodec) format.CompressionCodec {
	if c == nil {
		return from
	}
	return c.CompressionCodec
}

// encodes returns what compresses pages that come in that codec.
func (c *Codec) encodes(from format.CompressionCodec) compress.Codec {
	if c == nil {
		return quickCodec(from)
	}
	return c.encoder
}

// quickCodec returns what compresses mixed pages: fast, and to the size that
// other writers' defaults have; see the copy of package parquet for figures.
func quickCodec(c format.CompressionCodec) compress.Codec {
	switch c {
	case format.Zstd:
		return quickZstd
	case format.Snappy:
		return &quickSnappy{}
	}
	return pq.LookupCompressionCodec(c)
}
