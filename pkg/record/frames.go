package record

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"

	"github.com/klauspost/compress/zstd"

	"doppel/pkg/par"
)

// A frame of a zstd stream can be decoded without the frames before it. The outputs of doppel and
// of pzstd have frames of a few megabytes, which state their sizes. A frameReader decodes several
// of them at a time. A zstd.Decoder decodes one block after the other, in three goroutines, which
// bounds the speed of reading on more than four cores. It decodes the frames that are larger, or
// state no size.

// maxFrame is the maximum size of a frame that is decoded as a whole, in bytes after decoding.
const maxFrame = 8 << 20

// mostAhead is the maximum number of frames that are decoded concurrently. Eight frames of 4 MB,
// with their compressed forms, take about 50 MB.
const mostAhead = 8

// A frameReader decodes a zstd stream.
type frameReader struct {
	r      *bufio.Reader
	ahead  int                // number of frames that are decoded concurrently
	z      *zstd.Decoder      // decodes frames
	frames chan chan frame    // in the order of the stream; nil before the first Read
	stop   chan struct{}      // closed by Close
	now    frame              // the frame that is being read
	packed par.Spares[[]byte] // memory for compressed frames
	spares par.Spares[[]byte] // memory for decoded frames
}

// A frame is a decoded frame, or a stream that is decoded while it is read.
type frame struct {
	data   []byte  // the bytes of the frame that have not been read
	memory *[]byte // of the frame
	stream io.ReadCloser
}

func newFrameReader(r *bufio.Reader, jobs int) *frameReader {
	ahead := min(max(jobs, 1), mostAhead)
	return &frameReader{r: r, ahead: ahead, stop: make(chan struct{}), packed: par.NewSpares[[]byte](ahead), spares: par.NewSpares[[]byte](ahead)}
}

func (f *frameReader) Read(p []byte) (int, error) {
	if f.frames == nil {
		f.frames = make(chan chan frame, max(f.ahead-1, 1))
		var err error
		if f.z, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(f.ahead)); err != nil {
			return 0, err
		}
		go f.readFrames()
	}
	for len(f.now.data) == 0 {
		if s := f.now.stream; s != nil {
			if n, err := s.Read(p); n > 0 || err != io.EOF {
				return n, err
			}
			s.Close()
		} else if f.now.memory != nil {
			f.spares.Put(f.now.memory)
		}
		f.now = frame{}
		next, ok := <-f.frames
		if !ok {
			return 0, io.EOF
		}
		f.now = <-next
	}
	n := copy(p, f.now.data)
	f.now.data = f.now.data[n:]
	return n, nil
}

// Close waits until nothing is read from the compressed stream any more.
func (f *frameReader) Close() error {
	if f.frames == nil {
		return nil
	}
	close(f.stop)
	if f.now.stream != nil {
		f.now.stream.Close()
	}
	for next := range f.frames {
		if s := (<-next).stream; s != nil {
			s.Close()
		}
	}
	f.z.Close()
	return nil
}

// readFrames reads the compressed frames, and starts to decode them. The rest of the stream, from
// the first frame that cannot be decoded as a whole, is decoded while it is read.
func (f *frameReader) readFrames() {
	defer close(f.frames)
	for {
		packed := f.packed.Get()
		*packed = (*packed)[:0]
		size, err := readFrame(f.r, packed)
		if err == io.EOF && len(*packed) == 0 {
			return
		}
		select {
		case <-f.stop:
			return
		default:
		}
		next := make(chan frame, 1)
		select {
		case f.frames <- next:
		case <-f.stop:
			return
		}
		if err != nil {
			next <- newStream(io.MultiReader(bytes.NewReader(*packed), f.r))
			return
		}
		go func() { next <- f.decode(packed, size) }()
	}
}

// decode decodes a frame. If that fails, the frame is decoded while it is read, so that the bytes
// before the fault are read before the error.
func (f *frameReader) decode(packed *[]byte, size int) frame {
	memory := f.spares.Get()
	data, err := f.z.DecodeAll(*packed, slices.Grow((*memory)[:0], size+decodingSpace))
	if err != nil {
		return newStream(bytes.NewReader(*packed))
	}
	f.packed.Put(packed)
	*memory = data[:0]
	return frame{data: data, memory: memory}
}

// decodingSpace is the number of bytes after a frame that zstd.Decoder wants, so as not to
// allocate.
const decodingSpace = 64

// newStream returns the bytes of a compressed stream as a frame.
func newStream(r io.Reader) frame {
	z, err := zstd.NewReader(r)
	if err != nil {
		panic(err) // the options are always valid, and nothing is read yet
	}
	return frame{stream: z.IOReadCloser()}
}

// errOtherFrame is the error of readFrame for a frame that cannot be decoded as a whole.
var errOtherFrame = errors.New("the frame states no size, or a large one")

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
	if h.Skippable && h.SkippableSize <= maxFrame {
		return 0, appendBytes(r, packed, h.HeaderSize+int(h.SkippableSize))
	}
	if !h.HasFCS || h.FrameContentSize > maxFrame || h.DictionaryID != 0 {
		return 0, errOtherFrame
	}
	size = int(h.FrameContentSize)
	if err := appendBytes(r, packed, h.HeaderSize); err != nil {
		return 0, err
	}
	for last := false; !last; {
		if len(*packed) > 2*size+1<<20 {
			return 0, errOtherFrame // no encoder writes so many empty blocks
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
