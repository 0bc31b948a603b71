package passage

// A table finds numbers by hash. A slot holds the high half of a hash and a
// number plus one. Open addressing, at most half full: one cache line a search
// in the mean.
type table struct {
	slots []uint64
	n     int
}

// leastSlots fit in the first-level cache; mostSlots are kept from one use to
// the next, so that one huge group does not cost all later ones.
const (
	leastSlots = 64
	mostSlots  = 1 << 16
)

// reset empties the table, in time that is that of filling it.
func (t *table) reset() {
	if cap(t.slots) > mostSlots || t.slots == nil {
		t.slots = make([]uint64, leastSlots)
	}
	if t.n > 0 {
		clear(t.slots)
	}
	t.slots, t.n = t.slots[:leastSlots], 0
}

// find returns the number under the hash for which equal is true.
func (t *table) find(hash uint64, equal func(uint32) bool) (uint32, bool) {
	mask, h := uint32(len(t.slots)-1), uint32(hash>>32)
	for i := h & mask; t.slots[i] != 0; i = (i + 1) & mask {
		if s := t.slots[i]; uint32(s>>32) == h && equal(uint32(s)-1) {
			return uint32(s) - 1, true
		}
	}
	return 0, false
}

// add enters a number below 2^32-1, which may be there already.
func (t *table) add(hash uint64, number uint32) {
	if 2*t.n >= len(t.slots) {
		t.grow()
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

// grow doubles the table. What it had before is cleared, and used again if
// reset finds it within the capacity.
func (t *table) grow() {
	old := t.slots
	t.slots = make([]uint64, 2*len(old))
	for _, s := range old {
		if s != 0 {
			t.put(s)
		}
	}
}

func (t *table) size() int { return 8 * cap(t.slots) }
