package extsort

import (
	"os"
	"unsafe"
)

// bytesOf returns the memory of the entries. Scratch files never leave the
// machine, so its byte order is theirs.
func bytesOf[E Entry](a []E) []byte {
	if len(a) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&a[0])), len(a)*int(unsafe.Sizeof(a[0])))
}

// An offsetWriter appends to a file through a buffer and keeps the first error.
type offsetWriter struct {
	f   *os.File
	buf []byte
	end int64 // of what was written, the buffer included
	err error
}

const bufferSize = 1 << 18

func (w *offsetWriter) write(p []byte) {
	if len(w.buf)+len(p) > bufferSize {
		w.flush()
	}
	w.buf = append(w.buf, p...)
	w.end += int64(len(p))
}

func (w *offsetWriter) flush() error {
	if w.err == nil && len(w.buf) > 0 {
		_, w.err = w.f.WriteAt(w.buf, w.end-int64(len(w.buf)))
	}
	w.buf = w.buf[:0]
	return w.err
}
