package lsh

import (
	"github.com/cespare/xxhash/v2"

	"doppel/pkg/line"
	"doppel/pkg/simhash"
)

// A blockKeyer makes the keys of simhashes: blocks of their bits. Equal
// simhashes are no sign of equal texts, so the digest is that of the id, and
// nothing is collapsed.
type blockKeyer struct {
	keys   *simhash.Keys
	blocks []uint64
}

func newBlockKeyer(scheme string, within int) (Keyer, error) {
	s, err := simhash.ParseScheme(scheme)
	if err != nil {
		return nil, err
	}
	keys, err := simhash.NewKeys(s.Bits, within)
	return &blockKeyer{keys: keys}, err
}

func (k *blockKeyer) Append(dst []Key, s line.Signature) ([]Key, error) {
	if string(s.Body) == line.Empty {
		return dst, nil
	}
	h, _, err := simhash.ParseHex(string(s.Body))
	if err != nil {
		return dst, err
	}
	k.blocks = k.keys.Append(k.blocks[:0], h)
	digest := xxhash.Sum64(s.ID)
	for i, b := range k.blocks {
		dst = append(dst, Key{uint64(i)<<hashBits | mum(b^mulB, mulA)>>(64-hashBits), digest})
	}
	return dst, nil
}

// The keys of a choice of blocks fall into 256 partitions.
func (k *blockKeyer) Partitions() int             { return k.keys.Len() << 8 }
func (k *blockKeyer) Partition(bucket uint64) int { return int(bucket >> (hashBits - 8)) }
