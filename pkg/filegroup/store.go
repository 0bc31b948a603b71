package filegroup

import (
	"bufio"
	"encoding/binary"
	"io"
	"os"

	"doppel/pkg/files"
	"doppel/pkg/scratch"
)

// A store keeps names, and what the system knew of their files, in an unnamed
// scratch file. A file is known by the place where its entry begins: a header
// of eight words of eight bytes, and the name.
type store struct {
	file *os.File
	w    *bufio.Writer
	end  uint64
}

const header = 8 * 8

func newStore() (*store, error) {
	f, err := scratch.Create()
	if err != nil {
		return nil, err
	}
	return &store{file: f, w: bufio.NewWriterSize(f, 1<<18)}, nil
}

// add appends an entry and returns its place.
func (s *store) add(name []byte, info *files.Info) (place uint64, err error) {
	b := s.w.AvailableBuffer()
	for _, v := range [...]uint64{
		uint64(info.Size), info.Dev, info.Ino, uint64(info.Mtime.Sec), uint64(info.Mtime.Nsec),
		uint64(info.Ctime.Sec), uint64(info.Ctime.Nsec), uint64(len(name)),
	} {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	place = s.end
	s.end += uint64(header + len(name))
	_, err = s.w.Write(append(b, name...))
	return place, err
}

// A reader reads entries through a window, which pays where places ascend.
// Each goroutine needs its own.
type reader struct {
	s      *store
	window []byte
	at     uint64
}

// windowSize holds many entries, but is read for one where places are far
// apart.
const windowSize = 8 << 10

// get returns the entry at a place. Its name is valid until the next call.
func (r *reader) get(place uint64) (m Member, err error) {
	b, err := r.bytes(place, header)
	if err != nil {
		return m, err
	}
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }
	m.Info = files.Info{
		Size: int64(word(0)), Dev: word(1), Ino: word(2),
		Mtime: files.Time{Sec: int64(word(3)), Nsec: int64(word(4))},
		Ctime: files.Time{Sec: int64(word(5)), Nsec: int64(word(6))},
	}
	m.Name, err = r.bytes(place+header, word(7))
	return m, err
}

// bytes returns n bytes at a place, of the window or of a new one.
func (r *reader) bytes(place, n uint64) ([]byte, error) {
	if place < r.at || place+n > r.at+uint64(len(r.window)) {
		r.window = append(r.window[:0], make([]byte, max(windowSize, n))...)
		got, err := r.s.file.ReadAt(r.window, int64(place))
		if err != nil && !(err == io.EOF && uint64(got) >= n) {
			return nil, err
		}
		r.window, r.at = r.window[:got], place
	}
	return r.window[place-r.at:][:n], nil
}
