package jaccard

import (
	"math/bits"
	"slices"
)

// Codes compares a set with many sets that are very similar to it, such as the sets of records made
// from one template. The results equal those of [Shared].
//
// The code of a set describes it relative to a similar set, its pivot. The code consists of a bit
// per element of the pivot, which is set if the set contains that element, and a list of the set's
// other elements. Two sets with the same pivot share the elements whose bits are set in both codes,
// and the elements that are in both lists. A [Repeated] shortens the lists to elements that occur
// in several sets, because two sets cannot share any other element.
//
// For sets of 336 elements, of which 296 are common to all sets, a comparison takes 950 ns with
// Shared, 190 ns with codes, and 46 ns with codes and a Repeated. Encoding a set takes 1.5 µs.
// These times are the best of eight runs on a busy machine (go test -bench Codes ./pkg/jaccard).
//
// Codes is not safe for concurrent use.
type Codes struct {
	left       int64 // remaining memory in bytes
	pivots     []pivot
	recent     [2]int // the two pivots used most recently
	codes      []code
	repeated   *Repeated
	generation int // incremented when the codes in pivot.own become invalid
	listed     int64
}

// A pivot is a set relative to which other sets are encoded.
type pivot struct {
	set        []uint64
	own        code // code of the set last passed to Shared
	generation int  // value of Codes.generation when own was computed
}

// A code describes a set relative to a pivot.
type code struct {
	pivot int
	bits  []uint64
	list  []uint64 // sorted
}

// mostPivots is the maximum number of pivots. It limits the memory for the codes in pivot.own.
const mostPivots = 64

// NewCodes returns an empty Codes that uses up to about mem bytes of memory.
func NewCodes(mem int64) *Codes { return &Codes{left: mem, generation: 1} }

// Encode stores the code of a set and returns its number. It returns false if memory is used
// up, or if the set is unlike the recent pivots and the maximum number of pivots is reached.
func (c *Codes) Encode(set []uint64) (number int, ok bool) {
	for i, n := range c.recent {
		if n >= len(c.pivots) || i > 0 && n == c.recent[0] {
			continue
		}
		e := code{pivot: n}
		if common := e.encode(set, c.pivots[n].set, c.repeated); 2*common >= len(set) {
			return c.store(e)
		}
	}
	size := int64(8 * len(set))
	if len(c.pivots) == mostPivots || 3*size > c.left { // 3*size bytes for pivot.set and pivot.own
		return 0, false
	}
	c.left -= 3 * size
	own := pivot{set: append([]uint64(nil), set...)}
	e := code{pivot: len(c.pivots)}
	e.encode(set, own.set, c.repeated)
	c.pivots = append(c.pivots, own)
	return c.store(e)
}

// store stores a copy of a code, without spare capacity. It returns the code's number, or false if
// memory is used up.
func (c *Codes) store(e code) (number int, ok bool) {
	size := int64(8*(len(e.bits)+len(e.list)) + 64)
	if size > c.left {
		return 0, false
	}
	c.left -= size
	words := append(append(make([]uint64, 0, len(e.bits)+len(e.list)), e.bits...), e.list...)
	e.bits, e.list = words[:len(e.bits):len(e.bits)], words[len(e.bits):]
	if c.recent[0] != e.pivot {
		c.recent = [2]int{e.pivot, c.recent[0]}
	}
	c.codes = append(c.codes, e)
	return len(c.codes) - 1, true
}

// Begin must be called before Shared is called with a different set.
func (c *Codes) Begin() { c.generation++ }

// Shared returns how many elements a set shares with the encoded set that has the given number, or
// -1 if they share fewer than need. Between two calls of Begin, the set must not change.
func (c *Codes) Shared(set []uint64, number, need int) int {
	b := &c.codes[number]
	p := &c.pivots[b.pivot]
	if p.generation != c.generation {
		p.own.encode(set, p.set, c.repeated)
		p.generation = c.generation
	}
	shared, other := 0, b.bits
	for i, word := range p.own.bits[:len(other)] {
		shared += bits.OnesCount64(word & other[i])
	}
	most := min(len(p.own.list), len(b.list))
	if shared+most < need {
		return -1
	}
	if most == 0 {
		return shared
	}
	c.listed += int64(len(p.own.list) + len(b.list))
	listed := Shared(p.own.list, b.list, need-shared)
	if listed < 0 {
		return -1
	}
	return shared + listed
}

// Listed returns the total length of the lists that Shared has compared. If it exceeds the total
// number of elements of all sets, a Repeated is worth its cost.
func (c *Codes) Listed() int64 { return c.listed }

// Shorten removes all elements that are not in r from the lists of all codes. All sets to be
// compared must have been added to r.
func (c *Codes) Shorten(r *Repeated) {
	c.repeated = r
	for i := range c.codes {
		c.codes[i].list = slices.DeleteFunc(c.codes[i].list, func(x uint64) bool { return !r.has(x) })
	}
	c.generation++
}

// encode replaces e with the code of a set relative to a pivot, reusing the memory of e. If r is
// not nil, the list contains only elements in r. encode returns how many elements the set shares
// with the pivot.
func (e *code) encode(set, pivot []uint64, r *Repeated) (common int) {
	words := (len(pivot) + 63) / 64
	if cap(e.bits) < words {
		e.bits = make([]uint64, words)
	}
	e.bits, e.list = e.bits[:words], e.list[:0]
	clear(e.bits)
	at := 0
	for _, x := range set {
		for at < len(pivot) && pivot[at] < x {
			at++
		}
		if at < len(pivot) && pivot[at] == x {
			e.bits[at>>6] |= 1 << (at & 63)
			common++
		} else if r == nil || r.has(x) {
			e.list = append(e.list, x)
		}
	}
	return common
}

// Repeated finds the elements that occur in more than one set, with few false positives and no
// false negatives. It is a counting Bloom filter with one hash function and counters of two
// bits.
type Repeated struct {
	words [][2]uint64 // two interleaved bitmaps: elements added at least once, and at least twice
	shift uint
}

// NewRepeated returns a Repeated for sets of n elements in total. It uses at most min(n, mem)
// bytes, but always at least 64.
func NewRepeated(n, mem int64) *Repeated {
	words := bits.Len64(uint64(max(64, min(n, mem)))/16) - 1
	return &Repeated{words: make([][2]uint64, 1<<words), shift: uint(64 - 6 - words)}
}

// Add adds the elements of a set, or of several concatenated sets.
func (r *Repeated) Add(set []uint64) {
	for _, x := range set {
		bit := x * spread >> r.shift
		w, mask := &r.words[bit>>6], uint64(1)<<(bit&63)
		w[1] |= w[0] & mask
		w[0] |= mask
	}
}

// spread is 2^64 divided by the golden ratio. Multiplying by spread distributes elements evenly
// over the filter's bits, even if the elements are not hashes.
const spread = 0x9e3779b97f4a7c15

func (r *Repeated) has(x uint64) bool {
	bit := x * spread >> r.shift
	return r.words[bit>>6][1]>>(bit&63)&1 != 0
}
