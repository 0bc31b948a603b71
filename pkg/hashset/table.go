// Package hashset remembers which 128-bit hashes came before, in little memory
// and, when there are more than memory holds, exactly all the same.
//
// A [Table] is the memory. It is one array in the order of the hashes, with
// holes: a hash belongs to the slot that is its upper word scaled to the array,
// or, if that is taken, to one below it, so that the array stays sorted. A
// lookup ends at the first smaller hash, which keeps misses short at a load of
// 7/8. Sorted, the array also grows in place: an eighth is added at the end
// and every hash moves up, or stays, in one pass from the top. So nothing is
// ever held twice, and a hash takes 18.3 to 20.6 bytes.
//
// The array is in chunks of 64 to 128 kB; a new one is all that growth
// allocates, and the collector does not look into it.
//
// Cost: one cache miss a lookup, and an average of nine moves a hash over its
// life for the growth by an eighth. On a machine with other work, 294 ns a new
// hash at 1 million of them and 540 at 20 million:
//
//	go test -bench Put ./pkg/hashset
package hashset

import (
	"math/bits"

	"doppel/pkg/digest"
)

const (
	chunkSlots = 4096
	// A table grows when it is fuller than loadNum/loadDen.
	loadNum, loadDen = 7, 8
	growth           = 8 // grow by one part in growth
)

// A Table is a set of hashes, each with a fixed number of words beside it. It
// is not safe for concurrent use.
type Table struct {
	width  int        // words a slot: the hash, then its values
	chunks [][]uint64 // of chunkSlots slots; an empty slot is zeros
	spare  [][]uint64 // given up by Reset
	front  int        // slots before that of the smallest hash
	homes  int        // slots that hashes belong to
	limit  int        // of homes
	n      int
}

// NewTable returns an empty table with the given number of words beside each
// hash, that takes at most mem bytes, but at least two chunks.
func NewTable(values int, mem int64) *Table {
	t := &Table{width: 2 + values}
	chunks := mem / int64(8*t.width*chunkSlots)
	t.limit = (max(2, int(min(chunks, 1<<40))) - 1) * chunkSlots
	t.Reset(0)
	return t
}

// An Outcome says what became of a hash.
type Outcome int

// The outcomes of Put.
const (
	Added  Outcome = iota // the hash is new, and in the table now
	Found                 // it was there
	NoRoom                // it is not there, and the table is full
)

// Put adds a hash unless it is there already. It returns the words beside it,
// zeros where it is new, which are valid until the next call.
func (t *Table) Put(s digest.Sum) (values []uint64, o Outcome) {
	if s == (digest.Sum{}) {
		s.Lo = 1 // zeros are an empty slot
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
	at = t.open(at)
	slot := t.slot(at)
	clear(slot)
	slot[0], slot[1] = s.Hi, s.Lo
	t.n++
	return slot[2:], Added
}

// Each calls fn with the words beside every hash, in the order of the hashes.
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

// Reset empties the table and sizes it for n hashes, as far as its limit
// allows. It keeps its memory.
func (t *Table) Reset(n int64) {
	t.spare = append(t.spare, t.chunks...)
	t.chunks, t.n = t.chunks[:0], 0
	want := int(min(n, 1<<40))/loadNum*loadDen/chunkSlots + 1
	t.front, t.homes = chunkSlots, min(want*chunkSlots, t.limit)
	t.extend()
}

// extend adds the chunks that front and homes call for.
func (t *Table) extend() {
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

// home returns the slot that a hash belongs to.
func (t *Table) home(hi uint64) int {
	at, _ := bits.Mul64(hi, uint64(t.homes))
	return t.front + int(at)
}

func (t *Table) slot(i int) []uint64 {
	at := i % chunkSlots * t.width
	return t.chunks[i/chunkSlots][at : at+t.width : at+t.width]
}

// find returns the slot of a hash, or where it is to go: the highest slot, from
// its home on down, that is empty or has a smaller hash.
func (t *Table) find(s digest.Sum) (at int, found bool) {
	at = t.home(s.Hi)
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

// open makes an empty slot at at, by moving those from there on down to the
// next empty slot one down, and returns where it is now.
func (t *Table) open(at int) int {
	free := t.free(at)
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

// free returns the highest empty slot from at on down, or -1.
func (t *Table) free(at int) int {
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

// grow adds slots and moves every hash to where it then belongs. From the top
// down no hash meets one that has not moved yet: homes only go up, and so does
// the place of the hash above.
func (t *Table) grow() {
	top := t.front + t.homes - 1
	more := (t.homes/growth + chunkSlots - 1) / chunkSlots * chunkSlots
	t.homes = min(t.homes+more, t.limit)
	t.extend()
	next := t.front + t.homes - 1
	for n := top / chunkSlots; n >= 0; n-- {
		c := t.chunks[n]
		for i := len(c) - t.width; i >= 0; i -= t.width {
			from := c[i : i+t.width : i+t.width]
			if from[0]|from[1] == 0 {
				continue
			}
			at := min(t.home(from[0]), next)
			next = at - 1
			if to := t.slot(at); &to[0] != &from[0] { // empty
				for i, w := range from {
					to[i], from[i] = w, 0
				}
			}
		}
	}
}
