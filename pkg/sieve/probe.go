package sieve

import "math/bits"

// A probe is the set of a record's hashes, prepared for comparison with many other sets. It is a
// small hash table, at most half full, in which the highest bits of a hash choose the slot. Filling
// the table is faster than sorting the hashes, and also drops repeated hashes.
type probe struct {
	slots []uint64 // 0 marks an empty slot
	shift uint
	zero  bool // true if the hash 0 is in the set
	n     int  // size of the set
}

// fill replaces the contents of the probe with the given hashes.
func (p *probe) fill(hashes []uint64) {
	width := uint(bits.Len(uint(len(hashes)))) + 1
	if size := 1 << width; cap(p.slots) < size {
		p.slots = make([]uint64, size)
	} else {
		p.slots = p.slots[:size]
		clear(p.slots)
	}
	*p = probe{slots: p.slots, shift: 64 - width}
	slots, mask, shift := p.slots, uint64(len(p.slots)-1), p.shift&63
	for _, h := range hashes {
		if h == 0 {
			p.zero = true
			continue
		}
		i := h >> shift
		for slots[i&mask] != 0 && slots[i&mask] != h {
			i++
		}
		if slots[i&mask] == 0 {
			slots[i&mask] = h
			p.n++
		}
	}
	if p.zero {
		p.n++
	}
}

// shared returns how many elements of a set are in p, or -1 if this number is below the given
// minimum.
func (p *probe) shared(set []uint64, need int) int {
	misses, slots, mask, shift := len(set)-need, p.slots, uint64(len(p.slots)-1), p.shift&63
	for _, h := range set {
		i := h >> shift
		slot := slots[i&mask]
		for slot != h && slot != 0 {
			i++
			slot = slots[i&mask]
		}
		if slot == h && (h != 0 || p.zero) {
			continue
		}
		if misses--; misses < 0 {
			return -1
		}
	}
	return need + misses
}

// distinct returns the distinct hashes in a new slice. They are almost sorted, so looking up all of
// them in another probe visits that probe's slots almost in order. This method overwrites p.
func (p *probe) distinct(hashes []uint64) []uint64 {
	p.fill(hashes)
	set := make([]uint64, 0, p.n)
	if p.zero {
		set = append(set, 0)
	}
	for _, h := range p.slots {
		if h != 0 {
			set = append(set, h)
		}
	}
	return set
}
