//go:build !libzstd || !cgo

package zst

import (
	"sync"

	"github.com/klauspost/compress/zstd"
)

// most is the highest level.
const most = 19

// pools are encoders by their levels, which many outputs share: one takes longer to be
// made than to encode a megabyte.
var pools [most + 1]sync.Pool

// NewEncoder returns an encoder of a level from 1 to 19, as the program zstd counts
// them.
func NewEncoder(level int) Encoder {
	pool := &pools[level]
	return func(dst, src []byte) []byte {
		z, ok := pool.Get().(*zstd.Encoder)
		if !ok {
			z = newEncoder(level)
		}
		defer pool.Put(z)
		return z.EncodeAll(src, dst)
	}
}

func newEncoder(level int) *zstd.Encoder {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithZeroFrames(true),
		zstd.WithEncoderLevel(zstd.EncoderLevelFromZstd(level)))
	if err != nil {
		panic(err) // of options
	}
	return z
}
