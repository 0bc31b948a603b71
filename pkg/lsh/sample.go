package lsh

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/cespare/xxhash/v2"

	"doppel/pkg/line"
	"doppel/pkg/sample"
)

// A sampleKeyer makes a key of each fingerprint of a sampled set: the
// fingerprint is the bucket. The digest is 48 bits of that of the text behind 16
// of the hash of the scheme, so that a file of keys tells of which parameters
// it is.
type sampleKeyer struct {
	params sample.Params
	tag    uint64
	set    []uint64
}

// IsSample reports whether the signatures of a scheme are sampled sets.
func IsSample(scheme string) bool { return strings.HasPrefix(scheme, "sample/") }

func newSampleKeyer(scheme string) (*sampleKeyer, error) {
	p, _, err := sample.ParseParams(scheme)
	return &sampleKeyer{params: p, tag: xxhash.Sum64String(scheme) &^ textBits}, err
}

// CheckKeys returns an error if keys of which one has the digest were made of
// other samples than those of the scheme. It misses one mistake in 65,536, and
// knows nothing of other schemes.
func CheckKeys(scheme string, digest uint64) error {
	if IsSample(scheme) && (xxhash.Sum64String(scheme)^digest)&^textBits != 0 {
		return fmt.Errorf("the keys are not of the scheme %s", scheme)
	}
	return nil
}

// textBits are the bits of a digest that tell texts apart.
const textBits = 1<<48 - 1

func (k *sampleKeyer) Append(dst []Key, s line.Signature) (_ []Key, err error) {
	if string(s.Body) == line.Empty {
		return dst, nil
	}
	var digest uint64
	if k.set, digest, err = k.params.Decode(k.set[:0], s.Body); err != nil {
		return dst, err
	}
	for _, h := range k.set {
		dst = append(dst, Key{h, k.tag | digest&textBits})
	}
	return dst, nil
}

// The low bits of a fingerprint may all be zero, and the high ones as well in
// one that is the least of many, so neither tell partitions apart.
func (k *sampleKeyer) Partitions() int { return 256 }
func (k *sampleKeyer) Partition(bucket uint64) int {
	hi, lo := bits.Mul64(bucket, mulA)
	return int((hi ^ lo) >> 56)
}
