package simhash

import "math/bits"

// A Search says which pairs are sought. Hashes are named by their places in
// the slice that is searched, which holds fewer than 2^32 of them.
type Search struct {
	Width int   // of the hashes, in bits: 32, 64 or 128
	Max   int   // the greatest distance of a pair
	Jobs  int   // threads, at least 1; they never change the output
	Mem   int64 // bytes that Within may take besides its index of the hashes
}

// A Pair is two hashes within the distance that was asked for, A before B.
type Pair struct {
	A, B     uint32
	Distance uint8
	Rotation uint8 // by how many bits the hashes were rotated when Rotation met them
}

// MaxDistance returns the greatest distance d of hashes of the given width
// with d/width < fraction, or -1 if there is none. The division is that of
// floats, so that a threshold cuts where dedup.py cuts.
func MaxDistance(fraction float64, width int) int {
	d := -1
	for d < width && float64(d+1)/float64(width) < fraction {
		d++
	}
	return d
}

// An item is a hash on its way through a sort.
type item struct {
	hash Hash
	at   uint32
}

// shift returns the low 64 bits of the hash shifted right by n bits, n < 128.
func (h Hash) shift(n uint) uint64 {
	// Go shifts by 64 and more give 0: of the second and third terms one is 0.
	return h.Lo>>n | h.Hi<<(64-n) | h.Hi>>(n-64)
}

const digitBits = 11 // 2,048 counters stay in the first cache

// sortBits sorts items by the bits [low, low+n) of their hashes and keeps the
// order of those with equal bits. The result is in items; spare is as long.
// It is a radix sort from the lowest digit: two passes a digit, about 5 ns an
// item each while the items stay in the cache.
func sortBits(items, spare []item, low, n int) {
	from, to := items, spare
	for done := 0; done < n; done += digitBits {
		sortDigit(to, from, uint(low+done), min(digitBits, n-done))
		from, to = to, from
	}
	if len(items) > 0 && &from[0] != &items[0] {
		copy(items, from)
	}
}

func sortDigit(to, from []item, low uint, n int) {
	var next [1 << digitBits]uint32
	mask := uint64(1)<<n - 1
	for i := range from {
		next[from[i].hash.shift(low)&mask]++
	}
	sum := uint32(0)
	for d := range next[:mask+1] {
		next[d], sum = sum, sum+next[d]
	}
	for i := range from {
		d := from[i].hash.shift(low) & mask & (1<<digitBits - 1)
		to[next[d]] = from[i]
		next[d]++
	}
}

// A pairSet remembers pairs: open addressing, at most half full.
type pairSet struct {
	slots []uint64 // A<<32 | B; 0 is free, for A < B
	n     int
}

// add returns false if the pair was there.
func (s *pairSet) add(a, b uint32) bool {
	if 2*s.n >= len(s.slots) {
		s.grow()
	}
	key := uint64(a)<<32 | uint64(b)
	if !s.insert(key) {
		return false
	}
	s.n++
	return true
}

func (s *pairSet) insert(key uint64) bool {
	mask := uint64(len(s.slots) - 1)
	at := key * 0x9e3779b97f4a7c15 >> (64 - bits.Len64(mask))
	for ; s.slots[at] != 0; at = (at + 1) & mask {
		if s.slots[at] == key {
			return false
		}
	}
	s.slots[at] = key
	return true
}

func (s *pairSet) grow() {
	old := s.slots
	s.slots = make([]uint64, max(1024, 2*len(old)))
	for _, key := range old {
		if key != 0 {
			s.insert(key)
		}
	}
}
