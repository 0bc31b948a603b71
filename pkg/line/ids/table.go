package ids

import (
	"bytes"
	"math/bits"

	"github.com/cespare/xxhash/v2"

	"doppel/pkg/digest"
)

// A Table numbers different ids from 0 in the order in which they first came.
// The zero value is empty. It takes what the list of them takes, and 5 to 8 bytes more
// for each, as much again while it grows: 13 to 22 for ordinals and for file:ordinal
// alike.
type Table struct {
	List
	slots []uint32 // open addressing: number + 1, 0 for a free slot
	last  int      // the number that Intern returned last
}

// Intern returns the number of the id, a new one if the id is new.
func (t *Table) Intern(id []byte) uint32 {
	if t.slots == nil && t.n > 0 || 3*len(t.slots) <= 4*t.n {
		t.grow()
	}
	word, ok := t.encode(id, true)
	if next := t.last + 1; ok && next < t.n && t.word(next) == word { // ids often come in their order again
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

// Lookup returns the number of the id, if it has one. Several goroutines may ask
// while nothing is added.
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

// find returns the slot of the id, or the free one where it belongs. The id is that
// of the word, or if there is none spelled out.
func (t *Table) find(id []byte, word uint64, ok bool) (at uint64, found bool) {
	if !ok {
		return t.probe(xxhash.Sum64(id), func(w uint64) bool { return w&spelled != 0 && bytes.Equal(t.spelt(w), id) })
	}
	return t.probe(digest.Mix(word), func(w uint64) bool { return w == word })
}

// probe returns the slot behind which is what is looked for, or a free one.
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

// many slots are worth to be few.
const many = 1 << 20

// grow makes twice as many of the slots, of many half as many more.
func (t *Table) grow() {
	n := max(64, 2*len(t.slots), t.n+t.n/2)
	if n > many {
		n = max(many, len(t.slots)+len(t.slots)/2, t.n+t.n/2)
	}
	t.slots = nil // what is in them is made again
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

// Forget gives up the memory by which ids are found, until the next one comes.
func (t *Table) Forget() { t.slots = nil }
