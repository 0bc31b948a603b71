package recsieve

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"sync"

	"doppel/pkg/record"
	"doppel/pkg/spill"
)

// A store keeps records in a scratch file, in the order of the input: the texts of leaders,
// with which other records are compared; what the decisions name; and all of the records
// that wait for a decision. Several goroutines may read while one adds.
type store struct {
	mu      sync.RWMutex
	log     spill.Log
	leaders []int64 // their places in the log
}

// An entry is what the store has of a record.
type entry struct {
	ordinal       int64
	id, text, raw []byte
}

// A header is before each entry: the ordinal, and the lengths of the three parts.
const headerSize = 8 + 3*4

// sameAsText is the length of a raw record that is its text.
const sameAsText = math.MaxUint32

var errLong = errors.New("a record of 4 GiB or more cannot be compared")

// A part of a record that is stored besides its id.
type part int

const (
	withText part = 1 << iota
	withRaw
)

// add adds parts of a record and returns its place.
func (s *store) add(rec *record.Record, parts part) (at int64, err error) {
	x := entry{ordinal: rec.Ordinal, id: rec.ID}
	if parts&withText != 0 {
		x.text = rec.Text
	}
	if parts&withRaw != 0 {
		x.raw = rec.Raw
	}
	if max(len(x.id), len(x.text), len(x.raw)) >= sameAsText {
		return 0, rec.At(errLong)
	}
	lengths := [...]uint32{uint32(len(x.id)), uint32(len(x.text)), uint32(len(x.raw))}
	if len(x.raw) > 0 && len(x.raw) == len(x.text) && &x.raw[0] == &x.text[0] {
		lengths[2], x.raw = sameAsText, nil
	}
	header := binary.LittleEndian.AppendUint64(make([]byte, 0, headerSize), uint64(x.ordinal))
	for _, n := range lengths {
		header = binary.LittleEndian.AppendUint32(header, n)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	at = s.log.Len()
	for _, b := range [...][]byte{header, x.id, x.text, x.raw} {
		if _, err = s.log.Write(b); err != nil {
			return at, err
		}
	}
	return at, nil
}

// lead makes the record at a place the next leader.
func (s *store) lead(at int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.leaders = append(s.leaders, at)
}

// leader returns the place of a leader.
func (s *store) leader(number uint32) int64 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.leaders[number]
}

// text appends the text of a leader to dst.
func (s *store) text(dst []byte, number uint32) ([]byte, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var header [headerSize]byte
	at := s.leaders[number]
	if _, err := s.log.ReadAt(header[:], at); err != nil {
		return dst, err
	}
	id, n := binary.LittleEndian.Uint32(header[8:]), int(binary.LittleEndian.Uint32(header[12:]))
	begin := len(dst)
	dst = slices.Grow(dst, n)[:begin+n]
	_, err := s.log.ReadAt(dst[begin:], at+headerSize+int64(id))
	return dst, err
}

// close gives up the scratch file.
func (s *store) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log.Close() // of what was read already
}

// read reads the entry at a place, which is good until the window is used again.
func (x *entry) read(w *spill.Window, at int64) error {
	header, err := w.Bytes(at, headerSize)
	if err != nil {
		return err
	}
	x.ordinal = int64(binary.LittleEndian.Uint64(header))
	var n [3]int64
	for i := range n {
		n[i] = int64(binary.LittleEndian.Uint32(header[8+4*i:]))
	}
	same := n[2] == sameAsText
	if same {
		n[2] = 0
	}
	body, err := w.Bytes(at+headerSize, n[0]+n[1]+n[2])
	if err != nil {
		return err
	}
	x.id, x.text, x.raw = body[:n[0]:n[0]], body[n[0]:n[0]+n[1]], body[n[0]+n[1]:]
	if same {
		x.raw = x.text
	}
	return nil
}
