// Package hashset finds repeated 128-bit hashes exactly and in bounded memory. It uses spill files
// if the hashes do not fit into memory.
//
// A [Table] is a set of hashes in memory. It is a sorted array with empty slots. The home of a hash
// is the slot whose position in the array is proportional to the hash's upper word. A hash is in
// its home or, if that is taken, in a slot below, so that the array stays sorted. A lookup ends at
// the first smaller hash, so a lookup of an absent hash is short even at a load of 7/8. A sorted
// array can also grow in place: an eighth of its size is added at the end, and every hash moves up
// or stays, in one pass from the top. So growing needs no second copy of the array. In a growing
// table, the load is 7/9 to 7/8, so a hash takes 18.3 to 20.6 bytes.
//
// The array consists of chunks of 64 to 128 kB, so growing allocates only the new chunks. Chunks
// contain no pointers, so the garbage collector does not scan them.
//
// Cost: one cache miss per lookup, and an average of nine moves per hash because of growth. On a
// busy machine, adding a hash takes 294 ns on average for 1 million hashes, and 540 ns for 20
// million (go test -bench Put ./pkg/hashset).
package hashset

import (
	"math/bits"

	"doppel/pkg/digest"
)

const (
	chunkSlots = 4096
	// A table grows when the fraction loadNum/loadDen of its slots is used.
	loadNum, loadDen = 7, 8
	growth           = 8 // a table grows by 1/growth of its slots
)

// A Table is a set of hashes, each with a fixed number of value words. It is not safe for
// concurrent use.
type Table struct {
	width  int        // words per slot: two for the hash, and the value words
	chunks [][]uint64 // each has chunkSlots slots; the words of an empty slot are zero
	spare  [][]uint64 // unused chunks, left by Reset
	front  int        // number of slots before the first home
	homes  int        // number of slots that can be the home of a hash
	limit  int        // maximum number of homes
	n      int
}

// NewTable returns an empty table with the given number of value words per hash. It uses at most
// mem bytes, but at least two chunks.
func NewTable(values int, mem int64) *Table {
	t := &Table{width: 2 + values}
	chunks := mem / int64(8*t.width*chunkSlots)
	t.limit = (max(2, int(min(chunks, 1<<40))) - 1) * chunkSlots
	t.Reset(0)
	return t
}

// An Outcome is the result of Put.
type Outcome int

// The outcomes of Put.
const (
	Added  Outcome = iota // the hash was added
	Found                 // the hash was in the table
	NoRoom                // the hash is not in the table, and the table is full
)

// Put adds a hash, unless the hash is in the table or the table is full. It returns the value words
// of the hash, which are zero for a new hash. The caller may change the value words until the next
// call.
func (t *Table) Put(s digest.Sum) (values []uint64, o Outcome) {
	if s == (digest.Sum{}) {
		s.Lo = 1 // 1 instead of 0, because an empty slot contains zeros
	}
	at, found := t.find(s)
	if found {
		return t.slot(at)[2:], Found
	}
	if t.n*loadDen >= t.homes*loadNum {
		if t.homes >= t.limit {
			return nil, NoRoom
		}
		t.grow()
		at, _ = t.find(s)
	}
	at = t.openSlot(at)
	slot := t.slot(at)
	clear(slot)
	slot[0], slot[1] = s.Hi, s.Lo
	t.n++
	return slot[2:], Added
}

// Each calls fn with the value words of every hash, in ascending order of the hashes.
func (t *Table) Each(fn func(values []uint64) error) error {
	for _, c := range t.chunks {
		for i := 0; i < len(c); i += t.width {
			if c[i]|c[i+1] == 0 {
				continue
			}
			if err := fn(c[i+2 : i+t.width : i+t.width]); err != nil {
				return err
			}
		}
	}
	return nil
}

// Reset empties the table and makes room for n hashes, within its limit. It keeps the memory for
// reuse.
func (t *Table) Reset(n int64) {
	t.spare = append(t.spare, t.chunks...)
	t.chunks, t.n = t.chunks[:0], 0
	want := int(min(n, 1<<40))/loadNum*loadDen/chunkSlots + 1
	t.front, t.homes = chunkSlots, min(want*chunkSlots, t.limit)
	t.addChunks()
}

// addChunks adds chunks until the table has at least t.front + t.homes slots.
func (t *Table) addChunks() {
	for len(t.chunks)*chunkSlots < t.front+t.homes {
		t.chunks = append(t.chunks, t.newChunk())
	}
}

func (t *Table) newChunk() []uint64 {
	last := len(t.spare) - 1
	if last < 0 {
		return make([]uint64, t.width*chunkSlots)
	}
	c := t.spare[last]
	t.spare = t.spare[:last]
	clear(c)
	return c
}

func (t *Table) homeSlot(hi uint64) int {
	at, _ := bits.Mul64(hi, uint64(t.homes))
	return t.front + int(at)
}

func (t *Table) slot(i int) []uint64 {
	at := i % chunkSlots * t.width
	return t.chunks[i/chunkSlots][at : at+t.width : at+t.width]
}

// find returns the slot of a hash. If the hash is absent, it returns the slot where the hash
// belongs: the highest slot, from its home down, that is empty or has a smaller hash. If there is
// no such slot, find returns -1.
func (t *Table) find(s digest.Sum) (at int, found bool) {
	at = t.homeSlot(s.Hi)
	for at >= 0 {
		c := t.chunks[at/chunkSlots]
		for i := at % chunkSlots * t.width; i >= 0; i -= t.width {
			if hi, lo := c[i], c[i+1]; hi < s.Hi || hi == s.Hi && lo <= s.Lo {
				return at, hi == s.Hi && lo == s.Lo
			}
			at--
		}
	}
	return at, false
}

// openSlot makes room for a hash in a slot: the contents of the slots from this one down to the
// next empty slot move down by one slot. openSlot returns the index of the slot; this index changes
// if openSlot adds a chunk at the front.
func (t *Table) openSlot(at int) int {
	free := t.freeSlot(at)
	if free < 0 {
		t.chunks = append([][]uint64{t.newChunk()}, t.chunks...)
		t.front += chunkSlots
		at, free = at+chunkSlots, free+chunkSlots
	}
	for free < at {
		c, i := t.chunks[free/chunkSlots], free%chunkSlots*t.width
		if last := len(c) - t.width; i == last {
			free++
			copy(c[last:], t.chunks[free/chunkSlots][:t.width])
			continue
		}
		n := min(at-free, chunkSlots-1-free%chunkSlots)
		copy(c[i:i+n*t.width], c[i+t.width:i+(n+1)*t.width])
		free += n
	}
	return at
}

// freeSlot searches down from a slot. It returns the index of the first empty slot, or -1 if there
// is none.
func (t *Table) freeSlot(at int) int {
	for at >= 0 {
		c := t.chunks[at/chunkSlots]
		for i := at % chunkSlots * t.width; i >= 0; i -= t.width {
			if c[i]|c[i+1] == 0 {
				return at
			}
			at--
		}
	}
	return -1
}

// grow adds slots and moves every hash to its new slot, from the top down. This order never
// overwrites a hash that has not moved yet, because hashes only move up.
func (t *Table) grow() {
	top := t.front + t.homes - 1
	more := (t.homes/growth + chunkSlots - 1) / chunkSlots * chunkSlots
	t.homes = min(t.homes+more, t.limit)
	t.addChunks()
	next := t.front + t.homes - 1
	for n := top / chunkSlots; n >= 0; n-- {
		c := t.chunks[n]
		for i := len(c) - t.width; i >= 0; i -= t.width {
			from := c[i : i+t.width : i+t.width]
			if from[0]|from[1] == 0 {
				continue
			}
			at := min(t.homeSlot(from[0]), next)
			next = at - 1
			if to := t.slot(at); &to[0] != &from[0] { // the hash moves to another slot, which is empty
				for i, w := range from {
					to[i], from[i] = w, 0
				}
			}
		}
	}
}
