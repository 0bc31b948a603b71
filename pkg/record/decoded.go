package record

import (
	"bufio"
	"io"
	"os"
	"sync"

	"doppel/pkg/spill"
)

// DecodedInputs keeps the decoded bytes of compressed inputs, so that later readings need not
// decode them again. Decoding takes most of the time of reading gzip, bzip2 or xz, because it runs
// on one core while the others wait. A nil DecodedInputs keeps nothing. All methods may be called
// by several goroutines concurrently.
//
// The first reading writes the decoded bytes to a scratch file, which mostly stays in the page
// cache. A later reading decodes the input again if the decoded bytes exceeded the space limit, or
// if the first reading did not reach the end of the input.
//
// The command doppel fuzzy was measured on two otherwise idle cores, with 130,000 records (0.40 GB
// of text) and zstd output. For gzip input it takes 6.1 s (8.6 s of processor time), or 6.9 s
// (10.4 s) if no bytes are kept. For xz input it takes 32 s (35 s), or 48 s (54 s) if no bytes are
// kept. Decoded zstd is not kept, because writing and reading a copy takes as long as decoding
// twice: for 0.92 GB of text, two runs with a copy took 8.3 s and 9.4 s (14.1 s and 15.6 s of
// processor time), and two runs without a copy took 8.9 s and 8.7 s (15.5 s and 15.0 s).
type DecodedInputs struct {
	mu     sync.Mutex
	room   int64 // number of bytes that may still be kept; negative once the limit is exceeded
	inputs map[string]*os.File
}

// NewDecodedInputs returns an empty store. On Linux it holds at most a quarter of the free disk
// space and a quarter of the memory, so that the copies stay in the page cache.
func NewDecodedInputs() *DecodedInputs {
	return &DecodedInputs{room: decodedRoom(), inputs: map[string]*os.File{}}
}

// open returns a reader of the input's decoded bytes, and the number of these bytes. The reader is
// nil if d does not hold the input.
func (d *DecodedInputs) open(name string) (r io.Reader, size int64) {
	if d == nil {
		return nil, 0
	}
	d.mu.Lock()
	f := d.inputs[name]
	d.mu.Unlock()
	if f == nil {
		return nil, 0
	}
	info, err := f.Stat()
	if err != nil {
		return nil, 0
	}
	return io.NewSectionReader(f, 0, info.Size()), info.Size()
}

// copyDecoded returns a reader that reads r, the decoded bytes of the named input, and also copies
// these bytes to d.
func (d *DecodedInputs) copyDecoded(name string, r io.Reader) io.Reader {
	if d == nil {
		return r
	}
	f, err := spill.Create()
	if err != nil {
		return r // no copy is kept, so later readings decode the input again
	}
	return &decodedCopier{Reader: r, to: d, name: name, file: f, w: bufio.NewWriterSize(f, 1<<18)}
}

// A decodedCopier is a reader that also writes the bytes it reads to a scratch file.
type decodedCopier struct {
	io.Reader
	to   *DecodedInputs
	name string
	file *os.File
	w    *bufio.Writer // nil once the copy is complete or abandoned
}

func (k *decodedCopier) Read(p []byte) (int, error) {
	n, err := k.Reader.Read(p)
	if k.w == nil {
		return n, err
	}
	_, failed := k.w.Write(p[:n])
	if failed == nil && err == io.EOF {
		failed = k.w.Flush()
	}
	k.to.mu.Lock()
	defer k.to.mu.Unlock()
	k.to.room -= int64(n)
	switch {
	case failed != nil || k.to.room < 0:
		k.w = nil
		k.file.Close()
	case err == io.EOF:
		k.w = nil
		k.to.inputs[k.name] = k.file
	}
	return n, err
}
