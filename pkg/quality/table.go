package quality

import "math/bits"

// A table counts 64-bit hashes. It is an open hash table whose slots carry the
// number of the use they belong to, so that emptying it costs nothing: a short text
// behind a long one would else pay for the long one's size.
type table struct {
	slots []slot
	mask  uint64
	use   uint32
}

type slot struct {
	hash  uint64
	use   uint32
	count uint32
}

// reset empties the table and makes room for n hashes.
func (t *table) reset(n int) {
	size := 1 << bits.Len(uint(2*n|63))
	if size > len(t.slots) {
		t.slots, t.use = make([]slot, size), 0
	}
	t.mask = uint64(size - 1)
	if t.use++; t.use == 0 {
		clear(t.slots)
		t.use = 1
	}
}

// find returns the place of the hash's slot, whose count is 0 if the hash is
// new.
func (t *table) find(hash uint64) uint32 {
	slots := t.slots[:t.mask+1]
	for i := hash & t.mask; ; i = (i + 1) & t.mask {
		s := &slots[i]
		if s.use != t.use {
			*s = slot{hash: hash, use: t.use}
			return uint32(i)
		}
		if s.hash == hash {
			return uint32(i)
		}
	}
}

// add counts the hash and returns how often it has been counted.
func (t *table) add(hash uint64) uint32 {
	s := &t.slots[t.find(hash)]
	s.count++
	return s.count
}
