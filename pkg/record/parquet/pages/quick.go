package pages

import (
	"github.com/klauspost/compress/s2"
	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/compress/snappy"
	"github.com/parquet-go/parquet-go/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
)

var quickZstd = &zstd.Codec{Level: zstd.SpeedFastest}

// A quickSnappy compresses at the speed, and to the size, that snappy has
// elsewhere.
type quickSnappy struct{ snappy.Codec }

func (quickSnappy) Encode(dst, src []byte) ([]byte, error) { return s2.EncodeSnappy(dst, src), nil }

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
