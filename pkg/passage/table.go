package passage

// A table is a hash table of numbers. A slot holds the high half of a hash and a number plus
// one; an empty slot is 0. The table uses open addressing and is at most half full, so a search
// reads one cache line on average.
type table struct {
	slots []uint64
	n     int
}

// leastSlots is the number of slots of an empty table, which fits in the first-level CPU cache.
const leastSlots = 64

// reset empties the table. If the table has grown, reset allocates a small one, so that one huge
// group does not slow down all later groups.
func (t *table) reset() {
	if len(t.slots) != leastSlots {
		t.slots = make([]uint64, leastSlots)
	} else if t.n > 0 {
		clear(t.slots)
	}
	t.n = 0
}

// find returns a number that was added under this hash and that the callback accepts as equal. The
// second result is false if there is no such number.
func (t *table) find(hash uint64, equal func(uint32) bool) (uint32, bool) {
	mask, h := uint32(len(t.slots)-1), uint32(hash>>32)
	for i := h & mask; t.slots[i] != 0; i = (i + 1) & mask {
		if s := t.slots[i]; uint32(s>>32) == h && equal(uint32(s)-1) {
			return uint32(s) - 1, true
		}
	}
	return 0, false
}

// add adds a number below 2^32-1 under a hash. It does not look for an equal entry.
func (t *table) add(hash uint64, number uint32) {
	if 2*t.n >= len(t.slots) {
		old := t.slots
		t.slots = make([]uint64, 2*len(old))
		for _, s := range old {
			if s != 0 {
				t.put(s)
			}
		}
	}
	t.put(hash>>32<<32 | uint64(number+1))
	t.n++
}

func (t *table) put(slot uint64) {
	mask := uint32(len(t.slots) - 1)
	i := uint32(slot>>32) & mask
	for t.slots[i] != 0 {
		i = (i + 1) & mask
	}
	t.slots[i] = slot
}
