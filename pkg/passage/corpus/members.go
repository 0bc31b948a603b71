package corpus

import (
	"encoding/binary"

	"doppel/pkg/passage"
)

// A member in a bin is its position, eight bytes; its group in the bin, four;
// the count less one; flags; and a number of varying length: that of the
// bytes of text that follow, or which text of the bin, counted from 0, is the
// same.
const (
	headSize  = 14
	flagTwice = 1
	flagSame  = 2
)

// A member is a run in a bin.
type member struct {
	passage.Member
	group   uint32
	same    bool  // as another text
	text    int32 // which of the texts of the bin
	context int32
}

// parseMember parses the member that data begins with, and returns its size.
// It counts texts.
func parseMember(data []byte, texts *int32) (m member, size int) {
	number, n := binary.Uvarint(data[headSize:])
	size = headSize + n
	m.Pos = binary.LittleEndian.Uint64(data)
	m.group = binary.LittleEndian.Uint32(data[8:])
	m.Count = int(data[12]) + 1
	m.Twice = data[13]&flagTwice != 0
	if m.same = data[13]&flagSame != 0; m.same {
		m.text = int32(number)
		return m, size
	}
	m.text = *texts
	*texts++
	m.Text = data[size : size+int(number)]
	return m, size + int(number)
}
