package sieve

import (
	"cmp"
	"math/bits"
	"slices"
	"sync/atomic"
)

// A table lists the leaders that have a key. One goroutine inserts, any number look up
// at the same time without a lock: slots are written and read atomically, a slot never
// becomes empty again, and a larger table replaces the old one by a pointer.
//
// A slot is 32 bits of the key and the number of the leader plus 1. Eight slots are a
// line, which is what a processor loads at once. The first bits of a key choose the line
// where the search for it begins, and it ends at the first empty slot.
//
// Only the highest 40 bits of a key count, as many as [lsh.Key] has of the hash of a band.
// The line chooses the first twelve or more of them and the slot holds the last 32, so at
// least four bits are in both. They say how far a slot is from the line where its search
// begins, as long as that is less than 16 lines, and so a table can double without the keys.
//
// Cost: 8 bytes a key, divided by a load of .375 to .75, and while it doubles half as much
// again.
type table struct {
	view  atomic.Pointer[view]
	used  int // slots
	limit int // slots that may be used
}

// A view is a table of one size.
type view struct {
	slots []uint64
	bits  uint // of the number of a line
}

const (
	keyBits   = 40
	lineSlots = 8
	lineBytes = 64
	leastBits = 12 // of the number of a line: the smallest table has 256 kB
	reach     = 16 // lines from the first to the last of a search
	hot       = 16 // leaders of one key
)

func newView(bits uint) *view { return &view{make([]uint64, lineSlots<<bits), bits} }

// newTable returns a table that grows to at most mem bytes, unless the smallest one has more.
func newTable(mem int64) *table {
	most := max(leastBits, bits.Len64(uint64(mem/lineBytes))-1)
	t := &table{limit: lineSlots << most / 4 * 3}
	t.view.Store(newView(leastBits))
	return t
}

// find calls fn with the leaders that have a key.
func (v *view) find(key uint64, fn func(leader uint32)) {
	x := key >> (64 - keyBits)
	for i := x >> (keyBits - v.bits) * lineSlots; ; i = (i + lineSlots) % uint64(len(v.slots)) {
		line := v.slots[i : i+lineSlots : i+lineSlots]
		for j := range line {
			slot := atomic.LoadUint64(&line[j])
			if slot == 0 {
				return
			}
			if uint32(slot>>32) == uint32(x) {
				fn(uint32(slot) - 1)
			}
		}
	}
}

// full reports whether there is no room for n more keys.
func (t *table) full(n int) bool { return t.used+n > t.limit }

// insert adds a leader, whose number is higher than those inserted before, to a key. Of a
// key with too many leaders, the first half of them stays, and of the other half the
// oldest makes room. A key is left out if the table cannot grow and has no slot within reach
// of its first line; only keys that somebody has chosen so come to that.
func (t *table) insert(key uint64, leader uint32) {
	for {
		v := t.view.Load()
		if t.used < len(v.slots)/4*3 && t.put(v, key>>(64-keyBits), leader) {
			return
		}
		if !t.grow() {
			return
		}
	}
}

// put puts a leader into a slot, or returns false if none is within reach.
func (t *table) put(v *view, x uint64, leader uint32) bool {
	var same [hot]uint64
	slot, n := x<<32|uint64(leader)+1, 0
	first := x >> (keyBits - v.bits) * lineSlots
	for d := range uint64(reach * lineSlots) {
		i := (first + d) % uint64(len(v.slots))
		switch old := v.slots[i]; {
		case old == 0:
			atomic.StoreUint64(&v.slots[i], slot)
			t.used++
			return true
		case uint32(old>>32) == uint32(x):
			same[n] = i
			if n++; n == hot {
				slices.SortFunc(same[:], func(a, b uint64) int { return cmp.Compare(v.slots[a], v.slots[b]) })
				atomic.StoreUint64(&v.slots[same[hot/2]], slot)
				return true
			}
		}
	}
	return false
}

// grow doubles the table, once or until every slot is within reach. It returns false if the
// table cannot grow, and then the table is at its limit.
func (t *table) grow() bool {
	old := t.view.Load()
	for bits := old.bits + 1; lineSlots<<bits/4*3 <= t.limit; bits++ {
		v := newView(bits)
		if v.copy(old) {
			t.view.Store(v)
			return true
		}
	}
	t.limit = len(old.slots) / 4 * 3
	return false
}

// copy copies the slots of a smaller table, or returns false if one gets out of reach.
func (v *view) copy(old *view) bool {
	both := old.bits + 32 - keyBits // bits that the line and the slot have
	for i, slot := range old.slots {
		if slot == 0 {
			continue
		}
		line, tag := uint64(i/lineSlots), slot>>32
		far := (line - tag>>(keyBits-old.bits)) % (1 << both)
		home := (line - far) % (1 << old.bits)
		x := home>>both<<32 | tag
		at, end := x>>(keyBits-v.bits)*lineSlots, uint64(0)
		for v.slots[(at+end)%uint64(len(v.slots))] != 0 {
			if end++; end == reach*lineSlots {
				return false
			}
		}
		v.slots[(at+end)%uint64(len(v.slots))] = slot
	}
	return true
}
