package quality

import (
	"math/bits"
	"slices"
)

// passes counts more hashes than there is room for: in each pass those whose hash
// falls to it.
//
// It is no [table], though both count: a table has a power of two of slots, which would
// leave up to half of the room unused, and spends on the number of the use what a place
// takes here. The hashes of countDupLong, which cannot fall into passes, take half of
// what the slots of either would.
type passes struct {
	room  int // slots
	slots []passSlot
	used  int
	at, n uint64 // this pass, of how many
}

// A passSlot counts a hash, which was met first at a place.
type passSlot struct {
	hash  uint64
	first uint32
	count uint32 // 0: no hash
}

const slotBytes = 16

// count calls each once a pass. It hands all of total hashes, always in the same order,
// to p.met, which returns nil for those of other passes.
func (p *passes) count(total int, each func()) {
	size := max(min(p.room, 2*total), 64)
	if len(p.slots) < size {
		p.slots = make([]passSlot, size)
	}
	p.n = uint64(total/(size*3/4) + 1)
	for p.at = 0; p.at < p.n; p.at++ {
		clear(p.slots)
		p.used = 0
		each()
	}
}

// met counts a hash and returns its slot, or nil if another pass counts it.
func (p *passes) met(hash uint64, place uint32) *passSlot {
	x := hash * mulA
	if pass, _ := bits.Mul64(bits.RotateLeft64(x, 32), p.n); pass != p.at {
		return nil
	}
	if p.used > len(p.slots)/8*7 {
		p.grow() // which takes hashes that were made for one pass
	}
	s := p.find(hash)
	if s.count == 0 {
		p.used++
		s.hash, s.first = hash, place
	}
	s.count++
	return s
}

// find returns the slot of a hash, or the one where it belongs.
func (p *passes) find(hash uint64) *passSlot {
	at, _ := bits.Mul64(hash*mulA, uint64(len(p.slots)))
	for ; ; at++ {
		if at == uint64(len(p.slots)) {
			at = 0
		}
		if s := &p.slots[at]; s.count == 0 || s.hash == hash {
			return s
		}
	}
}

func (p *passes) grow() {
	was := p.slots
	p.slots = make([]passSlot, 2*len(was))
	for _, s := range was {
		if s.count > 0 {
			*p.find(s.hash) = s
		}
	}
}

// A set of hashes has room for as many as it is sized for.
type hashes []uint64

// sized returns an empty set with room for n hashes, in the memory of s if it can.
func (s hashes) sized(n int) hashes {
	s = slices.Grow(s[:0], n+n/3+8)[:n+n/3+8]
	clear(s)
	return s
}

// add adds a hash and reports whether it was there.
func (s hashes) add(hash uint64) bool {
	hash = max(hash, 1) // 0 is no hash, and as good as 1
	at, _ := bits.Mul64(hash*mulA, uint64(len(s)))
	for ; ; at++ {
		if at == uint64(len(s)) {
			at = 0
		}
		switch s[at] {
		case hash:
			return true
		case 0:
			s[at] = hash
			return false
		}
	}
}
