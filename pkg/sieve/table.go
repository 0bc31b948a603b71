package sieve

import (
	"cmp"
	"slices"
	"sync/atomic"
)

// A table maps keys to leaders. For each part of the table, one goroutine can insert while any number
// of goroutines look up keys without a lock. Lookups read slots atomically, and insert writes them atomically. A used
// slot never becomes empty again. To grow a part of the table, insert replaces the part's
// pointer with a pointer to a larger copy.
//
// The table uses only the highest 40 bits of a key, because the hash of a band in an [lsh.Key]
// has 40 bits. The first eight of these bits choose one of 256 parts of the table. A slot holds
// the other 32 bits and the number of the leader plus 1. Eight slots fill a cache line. The
// search for a key begins at the start of a line and ends at the first empty slot. Parts grow
// one at a time, so growing needs very little extra memory.
//
// Cost: 8 bytes per key, divided by a load of 0.5 to 0.75.
type table struct {
	parts [1 << partBits]atomic.Pointer[tablePart]
	room  atomic.Int64 // number of slots that the table may still allocate
	hot   int          // maximum number of leaders per key
	same  []uint64     // scratch memory of insert: indexes of the slots of one key
}

// A tablePart holds the slots of all keys with the same first eight bits.
type tablePart struct {
	slots []uint64
	used  int
}

const (
	partBits   = 8
	slotBits   = 32 // number of key bits that a slot stores
	keyBits    = partBits + slotBits
	lineSlots  = 8
	fewKeys    = 8              // maximum number of keys of a leader in one part, as hasRoom assumes
	leastSlots = 16 * lineSlots // minimum number of slots per part; the smallest table takes 256 kB
)

// newTable returns a table with at most hot leaders per key. The table grows to at most mem bytes,
// but takes at least 256 kB.
func newTable(mem int64, hot int) *table {
	t := &table{hot: hot}
	t.room.Store(mem/8 - leastSlots<<partBits)
	for i := range t.parts {
		t.parts[i].Store(&tablePart{slots: make([]uint64, leastSlots)})
	}
	return t
}

// part returns the part of the table that a key belongs to, and the key's tag: the bits that are
// stored in a slot.
func (t *table) part(key uint64) (p *atomic.Pointer[tablePart], tag uint64) {
	return &t.parts[key>>(64-partBits)], tagOf(key)
}

func tagOf(key uint64) uint64 { return key >> (64 - keyBits) & (1<<slotBits - 1) }

// firstSlot returns the index of the slot where the search for a key begins.
func (p *tablePart) firstSlot(tag uint64) uint64 {
	return tag * uint64(len(p.slots)/lineSlots) >> slotBits * lineSlots
}

// isFull reports whether the part must grow before n more slots are used.
func (p *tablePart) isFull(n int) bool { return p.used+n > len(p.slots)/4*3 }

// nextSize returns the number of slots of the part after it grows.
func (p *tablePart) nextSize() int { return nextSize(len(p.slots)) }

func nextSize(slots int) int { return slots / 2 / lineSlots * lineSlots * 3 }

// sizeFor returns the number of slots of the part after it grows to have room for n more.
func (p *tablePart) sizeFor(n int) int {
	size := len(p.slots)
	for p.used+n > size/4*3 {
		size = nextSize(size)
	}
	return size
}

// prefetch loads the first cache line of each key. The processor loads these lines in parallel,
// whereas find would load one line at a time. With 300,000 leaders, prefetch saves a sixth of
// the total time.
func (t *table) prefetch(keys []uint64) {
	for _, key := range keys {
		at, tag := t.part(key)
		p := at.Load()
		atomic.LoadUint64(&p.slots[p.firstSlot(tag)])
	}
}

// find calls fn with each leader that has the key.
func (t *table) find(key uint64, fn func(leader uint32)) {
	at, tag := t.part(key)
	p := at.Load()
	for i := p.firstSlot(tag); ; {
		slot := atomic.LoadUint64(&p.slots[i])
		if slot == 0 {
			return
		}
		if slot>>slotBits == tag {
			fn(uint32(slot) - 1)
		}
		if i++; i == uint64(len(p.slots)) {
			i = 0
		}
	}
}

// search returns the first slot of a leader with the key that has the given tag. If there is none, it
// returns the empty slot at which the search ended.
func (p *tablePart) search(tag uint64) (at uint64, used bool) {
	for i := p.firstSlot(tag); ; {
		slot := atomic.LoadUint64(&p.slots[i])
		if slot == 0 || slot>>slotBits == tag {
			return i, slot != 0
		}
		if i++; i == uint64(len(p.slots)) {
			i = 0
		}
	}
}

// hasRoom reports whether a leader with these keys can be inserted. It assumes that no part gets
// more than fewKeys of the keys. If a part gets more, the table may exceed its limit by the growth of
// one part.
func (t *table) hasRoom(keys []uint64) bool {
	slots := 0
	for _, key := range keys {
		at, _ := t.part(key)
		if p := at.Load(); p.isFull(fewKeys) {
			slots += p.nextSize() - len(p.slots)
		}
	}
	return slots == 0 || slots <= int(t.room.Load())
}

// insert adds a leader to a key. The leader's number must be higher than all earlier numbers. If
// the key already has t.hot leaders, the older half of them stays, and the new leader replaces the
// oldest leader of the other half.
func (t *table) insert(key uint64, leader uint32) {
	at, tag := t.part(key)
	p, slot := at.Load(), tag<<slotBits|uint64(leader)+1
	t.same = t.same[:0]
	for i := p.firstSlot(tag); ; {
		switch old := p.slots[i]; {
		case old == 0:
			if q := t.growFull(at); q != p {
				p, i = q, q.firstSlot(tag)
			}
			p.put(i, slot)
			return
		case old>>slotBits == tag:
			if t.same = append(t.same, i); len(t.same) == t.hot {
				slices.SortFunc(t.same, func(a, b uint64) int { return cmp.Compare(p.slots[a], p.slots[b]) })
				atomic.StoreUint64(&p.slots[t.same[t.hot/2]], slot)
				return
			}
		}
		if i++; i == uint64(len(p.slots)) {
			i = 0
		}
	}
}

// growFull returns a part after making room for one more slot. So the size of a part depends only on how
// many slots are used.
func (t *table) growFull(at *atomic.Pointer[tablePart]) *tablePart {
	p := at.Load()
	if !p.isFull(1) {
		return p
	}
	q := p.grown()
	t.room.Add(int64(len(p.slots) - len(q.slots)))
	at.Store(q)
	return q
}

// put stores a value in the first empty slot, beginning at a slot of the search for its key.
func (p *tablePart) put(from, slot uint64) {
	i := from
	for p.slots[i] != 0 {
		if i++; i == uint64(len(p.slots)) {
			i = 0
		}
	}
	p.used++
	atomic.StoreUint64(&p.slots[i], slot)
}

// grown returns a larger copy of a part.
func (p *tablePart) grown() *tablePart {
	q := &tablePart{slots: make([]uint64, p.nextSize()), used: p.used}
	for _, slot := range p.slots {
		if slot == 0 {
			continue
		}
		i := q.firstSlot(slot >> slotBits)
		for q.slots[i] != 0 {
			if i++; i == uint64(len(q.slots)) {
				i = 0
			}
		}
		q.slots[i] = slot
	}
	return q
}
