package record

import (
	"io"
	"os"
	"sync/atomic"
)

// A Meter tells how far inputs are read whose size is known. Bytes are those of the
// files as they lie there, compressed or not.
type Meter struct {
	total, read atomic.Int64
	lost        atomic.Bool // some input only names what is read
}

// Far returns how much is read of how much; ok is false where that is not known.
func (m *Meter) Far() (read, total int64, ok bool) {
	read, total = m.read.Load(), m.total.Load()
	return read, total, total > 0 && read <= total && !m.lost.Load()
}

// Expect adds the inputs of these names, if the size of all is known, and reports
// whether it is: then the reader is to count in the meter.
func (m *Meter) Expect(in *Input) bool {
	names := in.Names
	if len(names) == 0 {
		names = []string{"-"}
	}
	var sum int64
	for _, name := range names {
		size, ok := in.sizeOf(name)
		if !ok {
			return false
		}
		sum += size
	}
	m.total.Add(sum)
	return true
}

// sizeOf returns the size of an input that is a file, or a directory of them.
func (in *Input) sizeOf(name string) (int64, bool) {
	if r, size := in.Decoded.of(name); r != nil {
		return size, true
	}
	info, err := os.Stat(name)
	if f, ok := in.Stdin.(*os.File); name == "-" && ok {
		info, err = f.Stat()
	}
	switch {
	case err != nil:
		return 0, false
	case info.IsDir():
		return in.sizeInside(name)
	}
	return info.Size(), info.Mode().IsRegular()
}

// sizeInside returns the size of the data files below a directory.
func (in *Input) sizeInside(dir string) (sum int64, ok bool) {
	names, err := dataFiles(dir)
	for _, name := range names {
		size, ok := in.sizeOf(name)
		if !ok {
			return 0, false
		}
		sum += size
	}
	return sum, err == nil
}

// over returns a reader that counts; a nil meter counts nothing.
func (m *Meter) over(r io.Reader) io.Reader {
	if m == nil {
		return r
	}
	return meterReader{r, m}
}

// lose says that an input only names what is read.
func (m *Meter) lose() {
	if m != nil {
		m.lost.Store(true)
	}
}

type meterReader struct {
	io.Reader
	meter *Meter
}

func (r meterReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.meter.read.Add(int64(n))
	return n, err
}
