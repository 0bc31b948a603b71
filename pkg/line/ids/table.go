package ids

import (
	"bytes"

	"github.com/cespare/xxhash/v2"
)

// A Table numbers different ids from 0 in the order in which they first came.
// The zero value is empty. It takes the bytes of the ids and 8 to 24 bytes
// more for each.
type Table struct {
	List
	slots []uint32 // open addressing: number + 1, 0 for a free slot
}

// Intern returns the number of the id, a new one if the id is new.
func (t *Table) Intern(id []byte) uint32 {
	if 3*len(t.slots) <= 4*t.n {
		t.grow()
	}
	at, found := t.find(id)
	if !found {
		t.Add(id)
		t.slots[at] = uint32(t.n)
	}
	return t.slots[at] - 1
}

// Lookup returns the number of the id, if it has one.
func (t *Table) Lookup(id []byte) (uint32, bool) {
	if t.n == 0 {
		return 0, false
	}
	at, found := t.find(id)
	if !found {
		return 0, false
	}
	return t.slots[at] - 1, true
}

// find returns the slot of the id, or the free one where it belongs.
func (t *Table) find(id []byte) (at uint64, found bool) {
	mask := uint64(len(t.slots) - 1)
	for at = xxhash.Sum64(id) & mask; t.slots[at] != 0; at = (at + 1) & mask {
		if t.is(int(t.slots[at]-1), id) {
			return at, true
		}
	}
	return at, false
}

func (t *Table) is(i int, id []byte) bool {
	if t.ends == nil {
		return isOrdinal(id, i)
	}
	return bytes.Equal(t.at(i), id)
}

func (t *Table) grow() {
	t.slots = make([]uint32, max(64, 2*len(t.slots)))
	mask := uint64(len(t.slots) - 1)
	var buf []byte
	for i := range t.n {
		buf = t.Append(buf[:0], i)
		at := xxhash.Sum64(buf) & mask
		for t.slots[at] != 0 {
			at = (at + 1) & mask
		}
		t.slots[at] = uint32(i + 1)
	}
}
