package spill

import (
	"cmp"
	"io"
	"os"
	"slices"
)

// bufferSize is the maximum number of bytes that a log buffers in memory before it writes them.
const bufferSize = 1 << 18

// A Log stores bytes and reads them back by offset. Several goroutines may read a Log at the same
// time if none writes. Another goroutine writes full buffers to the file while the caller fills the
// next one.
//
// Instead, several goroutines can write at the same time: Extend makes room, and WriteAt fills it. File
// systems let only one goroutine at a time write to a file, so such a log needs several files.
type Log struct {
	Files  int        // number of scratch files; 0 means 1. It must be set before the first call of a method.
	files  []*os.File // scratch files; none if all bytes are in memory
	behind []byte     // the bytes before buf, while they are written; empty if all are in the files
	wrote  chan error
	buf    []byte // the end of the log
	size   int64
	err    error
}

// Write appends bytes to the log. After an error, all later calls return the same error.
func (l *Log) Write(p []byte) (int, error) {
	if len(l.buf)+len(p) > bufferSize {
		l.flush()
	}
	if len(p) > bufferSize {
		if l.wait(); l.err == nil {
			_, l.err = l.inFiles(p, l.size, true)
		}
	} else {
		l.buf = append(l.buf, p...)
	}
	l.size += int64(len(p))
	if l.err != nil {
		return 0, l.err
	}
	return len(p), nil
}

// Extend makes room for n bytes at the end of the log and returns the offset. The caller must write
// these bytes with WriteAt before it reads them.
func (l *Log) Extend(n int64) (at int64, err error) {
	at = l.size
	if fits := int64(len(l.buf))+n <= bufferSize; fits && l.files == nil {
		l.buf = slices.Grow(l.buf, int(n))[:len(l.buf)+int(n)]
	} else {
		l.flush()
		l.wait()
	}
	l.size += n
	return at, l.err
}

// WriteAt implements io.WriterAt for bytes for which Extend has made room. Several goroutines may write
// and read different bytes at the same time.
func (l *Log) WriteAt(p []byte, at int64) (int, error) {
	if l.err != nil {
		return 0, l.err
	}
	if from := at - (l.size - int64(len(l.buf))); from >= 0 {
		return copy(l.buf[from:], p), nil
	}
	return l.inFiles(p, at, true)
}

// inFiles writes or reads bytes of the files, which take turns in holding blocks of bufferSize bytes. It
// calls the methods of the files directly, so that p need not be on the heap.
func (l *Log) inFiles(p []byte, at int64, write bool) (n int, err error) {
	for n < len(p) && err == nil {
		block, begin := at/bufferSize, at%bufferSize
		files, m := int64(len(l.files)), min(len(p)-n, bufferSize-int(begin))
		if files == 1 {
			m = len(p)
		}
		f, place := l.files[block%files], block/files*bufferSize+begin
		if write {
			m, err = f.WriteAt(p[n:n+m], place)
		} else {
			m, err = f.ReadAt(p[n:n+m], place)
		}
		n, at = n+m, at+int64(m)
	}
	return n, err
}

// flush creates the files if there are none, begins to write the buffer to them, and empties it.
func (l *Log) flush() {
	l.wait()
	for l.err == nil && len(l.files) < max(1, l.Files) {
		var f *os.File
		if f, l.err = Create(); l.err == nil {
			l.files = append(l.files, f)
		}
	}
	if l.err != nil {
		l.buf = l.buf[:0]
	}
	if len(l.buf) == 0 {
		return
	}
	l.behind, l.buf = l.buf, l.behind[:0]
	wrote := make(chan error, 1)
	go func(b []byte, at int64) {
		_, err := l.inFiles(b, at, true)
		wrote <- err
	}(l.behind, l.size-int64(len(l.behind)))
	l.wrote = wrote
}

// wait waits until the bytes before the buffer are in the files.
func (l *Log) wait() {
	if len(l.behind) > 0 {
		l.err = cmp.Or(l.err, <-l.wrote)
		l.behind = l.behind[:0]
	}
}

// Len returns the number of bytes in the log.
func (l *Log) Len() int64 { return l.size }

// ReadAt implements io.ReaderAt. It returns io.EOF if the log ends before p is full, and
// io.ErrUnexpectedEOF if a file has lost bytes.
func (l *Log) ReadAt(p []byte, at int64) (n int, err error) {
	if l.err != nil {
		return 0, l.err
	}
	written := l.size - int64(len(l.behind)) - int64(len(l.buf))
	if at < written {
		n, err = l.inFiles(p[:min(int64(len(p)), written-at)], at, false)
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return n, err
		}
	}
	for _, b := range [...][]byte{l.behind, l.buf} {
		if from := at + int64(n) - written; from >= 0 && from < int64(len(b)) {
			n += copy(p[n:], b[from:])
		}
		written += int64(len(b))
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// Close closes the files. After that, the log can no longer be read or written.
func (l *Log) Close() error {
	l.wait()
	l.buf, l.behind = nil, nil
	if l.err == nil {
		l.err = os.ErrClosed
	}
	var err error
	for _, f := range l.files {
		err = cmp.Or(err, f.Close())
	}
	return err
}

// A Window reads a log in large pieces and returns parts of a piece, for callers that read at
// ascending offsets. It is not safe for concurrent use.
type Window struct {
	log  *Log
	size int64
	buf  []byte
	at   int64
}

// Window returns a Window that reads the log in pieces of the given number of bytes. With size 0,
// each call of Bytes reads only the bytes that it returns.
func (l *Log) Window(size int64) *Window { return &Window{log: l, size: size} }

// Bytes returns n bytes of the log, beginning at the given offset. They are valid until the next
// call.
func (w *Window) Bytes(at, n int64) ([]byte, error) {
	if at < w.at || at+n > w.at+int64(len(w.buf)) {
		size := max(n, min(w.size, w.log.size-at))
		w.at, w.buf = at, slices.Grow(w.buf[:0], int(size))[:size]
		if got, err := w.log.ReadAt(w.buf, at); err != nil {
			w.buf = w.buf[:got]
			return nil, err
		}
	}
	return w.buf[at-w.at:][:n:n], nil
}
