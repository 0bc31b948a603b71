package simhash

import (
	"fmt"
	"math/bits"
	"slices"
)

// A level is a division of hashes into blocks, and all choices of blocks for a key.
type level struct {
	width   int
	blocks  []block
	choices [][]block // each choice lists a key's blocks in order of position, then the other blocks in order of position
	inKey   int       // number of blocks in a key
	keyBits int       // number of bits of the key that are sorted and compared, at most 48
}

// isFirst reports whether the key of a choice consists of the first blocks in which the hashes
// agree.
func (l *level) isFirst(order []block, a, b Hash) bool {
	x := Hash{a.Hi ^ b.Hi, a.Lo ^ b.Lo}
	key := order[:l.inKey]
	for _, bl := range l.blocks {
		if bl.bitsOf(x) != 0 {
			continue
		}
		if bl != key[0] {
			return false
		}
		if key = key[1:]; len(key) == 0 {
			return true
		}
	}
	return false
}

func (l *level) rangeBits() uint { return uint(min(l.keyBits, maxRangeBits)) }

// prefix returns the highest rangeBits bits of the permuted hash.
func (l *level) prefix(h Hash, order []block) uint64 {
	want, n := l.rangeBits(), uint(0)
	var key uint64
	for _, b := range order {
		key, n = key<<b.n|b.bitsOf(h), n+b.n
		if n >= want {
			break
		}
	}
	return key >> (n - want) & (1<<want - 1)
}

// A block is a range of n bits, at most 64; low is the number of its lowest bit.
type block struct{ low, n uint }

func (b block) bitsOf(h Hash) uint64 { return h.shift(b.low) & (1<<b.n - 1) }

// permute returns the hash with its blocks in the given order, the first in the highest bits.
func permute(h Hash, order []block) (p Hash) {
	for _, b := range order {
		p.Hi = p.Hi<<b.n | p.Lo>>(64-b.n)
		p.Lo = p.Lo<<b.n | b.bitsOf(h)
	}
	return p
}

// cheapestLevel returns the cheapest level for n hashes, or nil if it is cheaper to compare all
// hashes. The costs of the steps are in nanoseconds, and were measured with random hashes and a
// radix sort by digits of eleven bits. The sort uses narrower digits for few hashes; the costs
// ignore this, because the order of pairs must not depend on it.
func (s Search) cheapestLevel(n, width int) *level {
	const compare, sort, digit, digitBits = 1.5, 30, 8, 11
	if n < 64 {
		return nil
	}
	pairs := float64(n) * float64(n) / 2
	best, m := compare*pairs, 0
	for blocks := s.Max + 1; blocks <= min(width, s.Max+8); blocks++ {
		key := keyBits(n, width, blocks, blocks-s.Max)
		each := float64(n)*(sort+digit*float64((key+digitBits-1)/digitBits)) + compare*pairs/float64(uint64(1)<<key)
		if cost := each * binomial(blocks, s.Max); cost < best {
			best, m = cost, blocks
		}
	}
	if m == 0 {
		return nil
	}
	l := newLevel(width, m, m-s.Max)
	l.keyBits = keyBits(n, width, m, m-s.Max)
	return l
}

// keyBits returns the number of bits to sort by: a few more than log2(n), which makes most keys
// unique, but at most the length of the shortest key of inKey blocks.
func keyBits(n, width, blocks, inKey int) int {
	return min(inKey*(width/blocks), bits.Len(uint(n))+4, 48)
}

func binomial(n, k int) float64 {
	c := 1.0
	for i := range k {
		c = c * float64(n-i) / float64(i+1)
	}
	return c
}

// newLevel divides hashes of width bits into m blocks of nearly equal length, and lists all choices
// of inKey blocks.
func newLevel(width, m, inKey int) *level {
	l := &level{width: width, inKey: inKey}
	for i := range m {
		low := width * i / m
		l.blocks = append(l.blocks, block{uint(low), uint(width*(i+1)/m - low)})
	}
	l.appendChoices(nil, 0)
	return l
}

// appendChoices appends all choices whose key consists of the given blocks and of later blocks. The
// first block that may be added to the key is l.blocks[from].
func (l *level) appendChoices(key []block, from int) {
	if len(key) < l.inKey {
		for i := from; i < len(l.blocks); i++ {
			l.appendChoices(append(key[:len(key):len(key)], l.blocks[i]), i+1)
		}
		return
	}
	order := slices.Clone(key)
	for _, b := range l.blocks {
		if !slices.Contains(key, b) {
			order = append(order, b)
		}
	}
	l.choices = append(l.choices, order)
}

// Keys derives keys from blocks of bits. Two hashes that differ in at most k bits share at least
// one key. [Search.Within] sorts by such keys itself; Keys is for callers that sort or join keys
// elsewhere.
//
// The width is divided into k+2 blocks, and a key consists of two of them, so there are
// (k+2)(k+1)/2 keys. Two random hashes of w bits share a given key with probability 2^-(2w/(k+2)).
type Keys struct{ choices [][]block }

// maxKeys is the maximum number of keys of a hash.
const maxKeys = 256

// NewKeys returns Keys for hashes of the given width in bits and a maximum distance k. It returns
// an error if a hash would have more than maxKeys keys, or if keys would be too short.
func NewKeys(width, k int) (*Keys, error) {
	const inKey = 2
	if k < 0 || k+inKey > width || binomial(k+inKey, inKey) > maxKeys {
		return nil, fmt.Errorf("within %d of %d bits: want a smaller distance: the keys would be too short, or each hash would have more than %d", k, width, maxKeys)
	}
	l := newLevel(width, k+inKey, inKey)
	for i, order := range l.choices {
		l.choices[i] = order[:inKey]
	}
	return &Keys{l.choices}, nil
}

// Len returns the number of keys of a hash.
func (k *Keys) Len() int { return len(k.choices) }

// Append appends the keys of a hash to dst. Only keys with the same index may be compared: two
// hashes share a key if their i-th keys are equal for some i. Keys of more than 64 bits are folded,
// so different keys may become equal.
func (k *Keys) Append(dst []uint64, h Hash) []uint64 {
	for _, order := range k.choices {
		a, b := order[0].bitsOf(h), order[1].bitsOf(h)
		if order[0].n+order[1].n > 64 {
			a *= 0x9e3779b97f4a7c15 // the factor is odd, so different values have different products
		} else {
			a <<= order[1].n
		}
		dst = append(dst, a^b)
	}
	return dst
}
