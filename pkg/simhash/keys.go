package simhash

import "fmt"

// Keys are blocks of bits as keys: two hashes within k bits have at least one
// of their keys in common. They are what [Search.Within] sorts by, for those
// who sort elsewhere.
//
// The width is cut into k+2 blocks, and a key is two of them, so there are
// (k+2)(k+1)/2 keys; of random hashes of w bits, two share a given one with
// the probability 2^-(2w/(k+2)).
type Keys struct{ choices [][]block }

// maxKeys is the largest number of keys of a hash.
const maxKeys = 256

// NewKeys returns the keys for a width and a distance.
func NewKeys(width, k int) (*Keys, error) {
	const inKey = 2
	if k < 0 || k+inKey > width || binomial(k+inKey, inKey) > maxKeys {
		return nil, fmt.Errorf("no keys for %d of %d bits: more than %d, or too short ones", k, width, maxKeys)
	}
	l := &level{width: width, inKey: inKey}
	l.cut(k + inKey)
	l.choose(nil, 0)
	for i, order := range l.choices {
		l.choices[i] = order[:inKey]
	}
	return &Keys{l.choices}, nil
}

// Len returns the number of keys of a hash.
func (k *Keys) Len() int { return len(k.choices) }

// Append appends the keys of a hash to dst: the i-th of one hash meets the i-th
// of another. Keys of more than 64 bits are folded, so that some meet by accident.
func (k *Keys) Append(dst []uint64, h Hash) []uint64 {
	for _, order := range k.choices {
		a, b := order[0].of(h), order[1].of(h)
		if order[0].n+order[1].n > 64 {
			a *= 0x9e3779b97f4a7c15 // odd
		} else {
			a <<= order[1].n
		}
		dst = append(dst, a^b)
	}
	return dst
}
