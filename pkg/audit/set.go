package audit

import "math/bits"

// A table is a hash table with open addressing. It holds a set of hashes other than 0.
type table struct {
	slots []uint64
	shift int
}

// clear empties the table and makes room for n hashes, with at least half of the slots empty.
func (t *table) clear(n int) {
	size := 1 << bits.Len(uint(2*n))
	if t.shift = 64 - bits.Len(uint(size-1)); size > cap(t.slots) {
		t.slots = make([]uint64, size)
		return
	}
	t.slots = t.slots[:size]
	clear(t.slots)
}

// find returns the slot of a hash, or the empty slot where the hash belongs.
func (t *table) find(h uint64) *uint64 {
	for i := int(h >> t.shift); ; i = (i + 1) & (len(t.slots) - 1) {
		if s := &t.slots[i]; *s == h || *s == 0 {
			return s
		}
	}
}

// add adds a hash and reports whether it is new.
func (t *table) add(h uint64) bool {
	s := t.find(h)
	if *s == h {
		return false
	}
	*s = h
	return true
}

// load replaces the contents of the table with a set.
func (t *table) load(set []uint64) {
	t.clear(len(set))
	for _, h := range set {
		t.add(h)
	}
}

// likeness compares the set in the table, which has n hashes, with another set.
func (t *table) likeness(n int, set []uint64) (l Likeness) {
	for _, h := range set {
		if *t.find(h) == h {
			l.Shared++
		}
	}
	l.Union = n + len(set) - l.Shared
	return l
}

// One is the score of equal sets. Scores are integers in units of 1/10,000, because they are
// written with four decimals.
const One = 10000

// A Likeness contains the sizes of the intersection and of the union of two sets.
type Likeness struct{ Shared, Union int }

// Score returns the Jaccard similarity in units of 1/One, rounded down. For two empty sets it
// returns 0.
func (l Likeness) Score() int {
	if l.Union == 0 {
		return 0
	}
	return l.Shared * One / l.Union
}

// Reaches reports whether the similarity is at least t.
func (l Likeness) Reaches(t float64) bool {
	return l.Union > 0 && float64(l.Shared)/float64(l.Union) >= t
}
