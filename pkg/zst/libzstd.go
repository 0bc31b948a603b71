//go:build libzstd && cgo

package zst

import (
	"slices"
	"sync"

	"github.com/DataDog/zstd"
)

// NewEncoder returns an encoder of a level from 1 to 19, as the program zstd counts
// them.
func NewEncoder(level int) Encoder {
	pool := sync.Pool{New: func() any { return zstd.NewCtx() }}
	return func(dst, src []byte) []byte {
		c := pool.Get().(zstd.Ctx)
		defer pool.Put(c)
		dst = slices.Grow(dst, zstd.CompressBound(len(src)))
		out, err := c.CompressLevel(dst[len(dst):cap(dst)], src, level)
		if err != nil {
			panic(err) // there was room for it
		}
		return dst[:len(dst)+len(out)]
	}
}
