package filegroup

import (
	"encoding/binary"

	"doppel/pkg/files"
	"doppel/pkg/files/filename"
	"doppel/pkg/spill"
)

// A store keeps names and stat results of files in a log, in one entry per file. An entry consists
// of a header of eight 64-bit words and the name. The last word is twice the length of the name,
// plus 1 if the name is an operand. An entry is identified by its offset in the log,
// called its place.
type store struct {
	log   spill.Log
	entry []byte
}

const header = 8 * 8

// add appends an entry and returns its offset.
func (s *store) add(name []byte, info *files.Info, kind filename.Kind) (place uint64, err error) {
	s.entry = s.entry[:0]
	last := uint64(len(name)) << 1
	if kind == filename.Named {
		last |= 1
	}
	for _, v := range [...]uint64{
		uint64(info.Size), info.Dev, info.Ino, uint64(info.Mtime.Sec), uint64(info.Mtime.Nsec),
		uint64(info.Ctime.Sec), uint64(info.Ctime.Nsec), last,
	} {
		s.entry = binary.LittleEndian.AppendUint64(s.entry, v)
	}
	place = s.end()
	_, err = s.log.Write(append(s.entry, name...))
	return place, err
}

// end returns the offset at which the next entry will be added.
func (s *store) end() uint64 { return uint64(s.log.Len()) }

// A reader reads entries of a store. Each goroutine needs its own reader.
type reader struct{ window *spill.Window }

// windowSize is the number of bytes in one read. If entries are read in order of their offsets, one
// read usually returns many of them. A read of this size is cheap even if the offsets are so far
// apart that it returns only one of the entries.
const windowSize = 8 << 10

func (s *store) reader() reader { return reader{s.log.Window(windowSize)} }

// get returns the file whose entry is at the given offset. The name of the file is valid until the
// next call.
func (r *reader) get(place uint64) (m Member, err error) {
	b, err := r.window.Bytes(int64(place), header)
	if err != nil {
		return m, err
	}
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }
	m.Info = files.Info{
		Size: int64(word(0)), Dev: word(1), Ino: word(2),
		Mtime: files.Time{Sec: int64(word(3)), Nsec: int64(word(4))},
		Ctime: files.Time{Sec: int64(word(5)), Nsec: int64(word(6))},
	}
	last := word(7)
	if last&1 != 0 {
		m.Kind = filename.Named
	}
	m.Name, err = r.window.Bytes(int64(place)+header, int64(last>>1))
	return m, err
}
