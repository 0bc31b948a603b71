//go:build !libzstd || !cgo

package zst

import (
	"sync"

	"github.com/klauspost/compress/zstd"
)

// NewEncoder returns an encoder of a level from 1 to 19, as the program zstd counts
// them.
func NewEncoder(level int) Encoder {
	pool := sync.Pool{New: func() any {
		z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithZeroFrames(true),
			zstd.WithEncoderLevel(zstd.EncoderLevelFromZstd(level)))
		if err != nil {
			panic(err) // of options
		}
		return z
	}}
	return func(dst, src []byte) []byte {
		z := pool.Get().(*zstd.Encoder)
		defer pool.Put(z)
		return z.EncodeAll(src, dst)
	}
}
