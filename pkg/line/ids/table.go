package ids

import (
	"bytes"
	"math/bits"

	"github.com/cespare/xxhash/v2"

	"doppel/pkg/digest"
)

// A Table numbers distinct ids from 0 in the order in which they were first added. The zero value
// is empty. In addition to the List, a large table uses 5 to 8 bytes per id, and up to 14 while it
// grows. The List uses at most 8 bytes for an ordinal or an id such as file:ordinal.
type Table struct {
	List
	slots []uint32 // open addressing; a slot holds an id's number plus 1, or 0 if it is free
	last  int      // the number that Intern returned last
}

// Intern returns the number of the id, and adds the id if it is new.
func (t *Table) Intern(id []byte) uint32 {
	if t.slots == nil && t.n > 0 || 3*len(t.slots) <= 4*t.n {
		t.grow()
	}
	word, ok := t.encode(id, true)
	// Ids often repeat in the same order.
	if next := t.last + 1; ok && next < t.n && t.word(next) == word {
		t.last = next
		return uint32(next)
	}
	at, found := t.find(id, word, ok)
	if !found {
		if ok {
			t.push(word)
		} else {
			t.Add(id)
		}
		t.slots[at] = uint32(t.n)
	}
	t.last = int(t.slots[at] - 1)
	return t.slots[at] - 1
}

// Lookup returns the number of the id, if it has one. Several goroutines may call Lookup at once,
// but not during a call that adds an id.
func (t *Table) Lookup(id []byte) (uint32, bool) {
	if t.slots == nil {
		return 0, false
	}
	word, ok := t.encode(id, false)
	at, found := t.find(id, word, ok)
	if !found {
		return 0, false
	}
	return t.slots[at] - 1, true
}

// find returns the slot of the id, or the free slot for it. If ok is true, word is the id's
// encoding; otherwise the id is spelled out.
func (t *Table) find(id []byte, word uint64, ok bool) (at uint64, found bool) {
	if !ok {
		return t.probe(xxhash.Sum64(id), func(w uint64) bool { return w&spelled != 0 && bytes.Equal(t.spelt(w), id) })
	}
	return t.probe(digest.Mix(word), func(w uint64) bool { return w == word })
}

// probe searches the slots, starting at the one that the hash selects. It stops at the first id
// whose word the given function accepts, or at a free slot; found reports whether it stopped at an
// id.
func (t *Table) probe(hash uint64, is func(word uint64) bool) (at uint64, found bool) {
	at, _ = bits.Mul64(hash, uint64(len(t.slots)))
	for t.slots[at] != 0 {
		if is(t.word(int(t.slots[at] - 1))) {
			return at, true
		}
		if at++; at == uint64(len(t.slots)) {
			at = 0
		}
	}
	return at, false
}

// A table that has reached this number of slots grows by half instead of doubling, to save memory.
const many = 1 << 20

// grow doubles the number of slots of a small table, and increases that of a large one by half.
func (t *Table) grow() {
	n := max(64, 2*len(t.slots), t.n+t.n/2)
	if n > many {
		n = max(many, len(t.slots)+len(t.slots)/2, t.n+t.n/2)
	}
	t.slots = nil // free the old slots first: the loop below computes all slots again
	t.slots = make([]uint32, n)
	for i := range t.n {
		word := t.word(i)
		hash := digest.Mix(word)
		if word&spelled != 0 {
			hash = xxhash.Sum64(t.spelt(word))
		}
		at, _ := t.probe(hash, func(uint64) bool { return false })
		t.slots[at] = uint32(i + 1)
	}
}

// Forget frees the memory for finding ids. Until the next call of Intern allocates this memory
// again, Lookup finds no id.
func (t *Table) Forget() { t.slots = nil }
