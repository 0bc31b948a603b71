package collection

import (
	"encoding/binary"
	"math/bits"

	"doppel/pkg/digest"
)

// Marks are the removed records of a segment: a bit per record, in words of 64 bits. In the file,
// the words are little-endian.
type marks struct {
	words []uint64
	ranks []uint32 // number of marks before every rankWords words; built by the first call of before
}

const rankWords = 8

func newMarks(records int64) *marks { return &marks{words: make([]uint64, (records+63)/64)} }

// has reports whether a record is marked. Nil marks have none.
func (m *marks) has(record uint32) bool {
	return m != nil && m.words[record/64]>>(record%64)&1 == 1
}

func (m *marks) add(record uint32) { m.words[record/64] |= 1 << (record % 64) }

// grow makes room for a record, if there is none.
func (m *marks) grow(record uint32) {
	if n := int(record/64) + 1 - len(m.words); n > 0 {
		m.words = append(m.words, make([]uint64, n)...)
	}
}

// clone returns a copy of marks, or no marks for the given number of records if m is nil.
func (m *marks) clone(records int64) *marks {
	c := newMarks(records)
	if m != nil {
		copy(c.words, m.words)
	}
	return c
}

// count returns the number of marked records.
func (m *marks) count() (n int64) {
	for _, w := range m.words {
		n += int64(bits.OnesCount64(w))
	}
	return n
}

// before returns the number of marked records before the given one. Nil marks have none.
func (m *marks) before(record uint32) uint32 {
	if m == nil {
		return 0
	}
	if m.ranks == nil {
		n := uint32(0)
		for i, w := range m.words {
			if i%rankWords == 0 {
				m.ranks = append(m.ranks, n)
			}
			n += uint32(bits.OnesCount64(w))
		}
	}
	word := int(record / 64)
	n := m.ranks[word/rankWords]
	for _, w := range m.words[word/rankWords*rankWords : word] {
		n += uint32(bits.OnesCount64(w))
	}
	return n + uint32(bits.OnesCount64(m.words[word]&(1<<(record%64)-1)))
}

// encode returns the bytes of the file of marks.
func (m *marks) encode() []byte {
	b := make([]byte, 0, 8*len(m.words))
	for _, w := range m.words {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return b
}

// readMarks reads the marks of a segment, and checks their checksum and number.
func readMarks(dir string, about Segment) (*marks, error) {
	f, err := openFile(dir, *about.Gone)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m := newMarks(about.Records)
	if about.Gone.Bytes != int64(8*len(m.words)) {
		return nil, fileError(f, "%d bytes for %d records", about.Gone.Bytes, about.Records)
	}
	b := make([]byte, about.Gone.Bytes)
	if err := readAt(f, b, 0); err != nil {
		return nil, err
	}
	if string(digest.Hash{}.Sum(b).AppendHex(nil)) != about.Gone.XXH3 {
		return nil, fileError(f, "%w", errSum)
	}
	for i := range m.words {
		m.words[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	last := m.words[len(m.words)-1]
	if m.count() != about.Removed || about.Records%64 > 0 && last>>(about.Records%64) != 0 {
		return nil, fileError(f, "marks that the manifest does not count")
	}
	return m, nil
}

// countIn returns how many of n records are marked, beginning with the given one.
func (m *marks) countIn(first, n int64) (count int64) {
	for i := int64(0); m != nil && i < n; i++ {
		if m.has(uint32(first + i)) {
			count++
		}
	}
	return count
}

// hasAny reports whether any of n records is marked, beginning with the given one.
func (m *marks) hasAny(first, n int64) bool {
	for i := range n {
		if m.has(uint32(first + i)) {
			return true
		}
	}
	return false
}
