package dataform

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/gzip"
)

// mostStored is the largest content size that fits in one byte of the header of a zstd frame.
const mostStored = 255

// Stored returns a valid stream in p's compression format that contains b uncompressed. The length
// of the stream depends only on len(b). Readers treat the stream and another one that follows it as
// a single stream. For zstd, Stored returns an error if b is longer than mostStored.
func (p Packing) Stored(b []byte) ([]byte, error) {
	switch p.Compression {
	case Gzip:
		var out bytes.Buffer
		z, err := gzip.NewWriterLevel(&out, gzip.NoCompression)
		if err == nil {
			_, err = z.Write(b)
		}
		if err == nil {
			err = z.Close()
		}
		return out.Bytes(), err
	case Zstd:
		if len(b) > mostStored {
			return nil, fmt.Errorf("%d bytes do not fit in one small frame", len(b))
		}
		frame := []byte{0x28, 0xb5, 0x2f, 0xfd, // magic
			1<<5 | 1<<2,                               // flags: single segment, with a checksum
			byte(len(b)),                              // content size
			byte(len(b)<<3 | 1), byte(len(b) >> 5), 0} // header of the only block, which is raw and the last one
		frame = append(frame, b...)
		return binary.LittleEndian.AppendUint32(frame, uint32(xxhash.Sum64(b))), nil
	}
	return b, nil
}
