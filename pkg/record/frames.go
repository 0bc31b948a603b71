package record

import (
	"bufio"
	"io"
	"slices"

	"github.com/klauspost/compress/zstd"
)

// A frame of a zstd stream can be decoded without the frames before it. The outputs of doppel and
// of pzstd have frames of a few megabytes, which state their sizes. A zstd.Decoder decodes one block
// after the other, in three goroutines, which bounds the speed of reading on more than four cores. It
// decodes the frames that are larger, or state no size.

// A frameCutter divides a zstd stream into its frames.
type frameCutter struct{ z *zstd.Decoder }

// newFrameReader returns a reader of a zstd stream that decodes several frames concurrently, as many
// as jobs.
func newFrameReader(r *bufio.Reader, jobs int) (*aheadReader, error) {
	a := newAheadReader(r, nil, jobs)
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(a.ahead))
	a.cutter = frameCutter{z}
	return a, err
}

func (c frameCutter) cut(r *bufio.Reader, packed *[]byte) (size, decoded int, err error) {
	decoded, err = readFrame(r, packed)
	return len(*packed), decoded + decodingSpace, err
}

func (c frameCutter) decode(dst, packed []byte) ([]byte, error) { return c.z.DecodeAll(packed, dst) }

func (c frameCutter) stream(r *bufio.Reader) io.ReadCloser {
	z, err := zstd.NewReader(r)
	if err != nil {
		panic(err) // the options are always valid, and nothing is read yet
	}
	return z.IOReadCloser()
}

func (c frameCutter) close() { c.z.Close() }

// decodingSpace is the number of bytes after a frame that zstd.Decoder wants, so as not to
// allocate.
const decodingSpace = 64

// readFrame appends the bytes of the next frame to packed, and returns its size after decoding.
// After an error, packed has the bytes that were read. The error is io.EOF at the end of the
// stream.
func readFrame(r *bufio.Reader, packed *[]byte) (size int, err error) {
	begin, err := r.Peek(zstd.HeaderMaxSize)
	if len(begin) == 0 {
		return 0, err
	}
	var h zstd.Header
	if err := h.Decode(begin); err != nil {
		return 0, err
	}
	if h.Skippable && h.SkippableSize <= maxDecoded {
		return 0, appendBytes(r, packed, h.HeaderSize+int(h.SkippableSize))
	}
	if !h.HasFCS || h.FrameContentSize > maxDecoded || h.DictionaryID != 0 {
		return 0, errUncut
	}
	size = int(h.FrameContentSize)
	if err := appendBytes(r, packed, h.HeaderSize); err != nil {
		return 0, err
	}
	for last := false; !last; {
		if len(*packed) > 2*size+1<<20 {
			return 0, errUncut // no encoder writes so many empty blocks
		}
		if err := appendBytes(r, packed, 3); err != nil {
			return 0, err
		}
		head := (*packed)[len(*packed)-3:]
		bits := int(head[0]) | int(head[1])<<8 | int(head[2])<<16
		last = bits&1 != 0
		n := bits >> 3
		if bits>>1&3 == 1 { // a block of equal bytes
			n = 1
		}
		if err := appendBytes(r, packed, n); err != nil {
			return 0, err
		}
	}
	if h.HasCheckSum {
		err = appendBytes(r, packed, 4)
	}
	return size, err
}

// appendBytes reads n bytes, and appends them to b, or those that there are.
func appendBytes(r io.Reader, b *[]byte, n int) error {
	start := len(*b)
	*b = slices.Grow(*b, n)[:start+n]
	read, err := io.ReadFull(r, (*b)[start:])
	*b = (*b)[:start+read]
	return err
}
