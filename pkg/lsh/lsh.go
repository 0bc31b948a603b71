// Package lsh turns sketches into keys such that similar records share a key, and
// keys of any kind into pairs of records. What a signature is, and which keys it
// has, is pkg/method's to know.
//
// Banding (Broder 1997; Indyk and Motwani 1998): a sketch of k slots is cut
// into b bands of r slots, and the hash of each band is a key. Two records
// whose Jaccard similarity is J share at least one key with the probability
// 1-(1-J^r)^b, an S-shaped curve over J.
//
// A key is written as 16 hex digits, a dot, and 16 more. What stands before
// the dot is the bucket: the number of the band and 40 bits of the band's
// hash. What stands behind it is the digest of the whole set: records that
// agree in all of the key have equal sets, so they are collapsed onto the first
// of them, and what is true of one of them is true of all. 40 bits make about n²/2^41
// false pairs a band among n records, some fifty among ten million, which is
// nothing before the verifier, and keep the lines short.
package lsh

import (
	"fmt"
	"math"
	"math/bits"

	"doppel/pkg/digest"
)

// MaxBands is the largest number of bands.
const MaxBands = 256

// hashBits is how many bits of a band's hash its key has.
const hashBits = 40

// Bands is a banding: B bands of R slots.
type Bands struct{ B, R int }

func (b Bands) String() string { return fmt.Sprintf("%d bands of %d rows", b.B, b.R) }

// Chance returns the probability that two records of similarity j share a key.
func (b Bands) Chance(j float64) float64 {
	return 1 - math.Pow(1-math.Pow(j, float64(b.R)), float64(b.B))
}

// Check returns an error if a sketch of k slots cannot be banded so.
func (b Bands) Check(k int) error {
	switch {
	case b.B < 1 || b.R < 1:
		return fmt.Errorf("%v: want at least one of each", b)
	case b.B > MaxBands:
		return fmt.Errorf("%v: want at most %d bands", b, MaxBands)
	case b.B*b.R > k:
		return fmt.Errorf("%v need %d slots, the sketch has %d", b, b.B*b.R, k)
	}
	return nil
}

// Choose returns the banding of k slots with the most rows, thus the fewest
// candidates, of which pairs at the threshold are still found with the given
// probability. If none reaches it, it is the one that comes closest. More rows are
// fewer bands and a lower chance, so the first that falls short ends the search.
func Choose(k int, threshold, recall float64) Bands {
	best := Bands{min(k, MaxBands), 1}
	for r := 2; r <= k; r++ {
		b := Bands{min(k/r, MaxBands), r}
		if b.Chance(threshold) < recall {
			break
		}
		best = b
	}
	for b := best; b.B > 0; b.B-- { // no more bands than are needed
		if b.Chance(threshold) < recall {
			break
		}
		best = b
	}
	return best
}

// Options say how signatures become keys.
type Options struct {
	Threshold float64 // of similarity, for the choice of bands
	Recall    float64 // at the threshold, likewise
	Bands     Bands   // given instead; a zero is chosen from the other
	Within    int     // distance in bits at which simhashes still share a key
}

// Settle returns the banding of k slots: as given, or chosen.
func (o Options) Settle(k int) (Bands, error) {
	b := o.Bands
	switch {
	case b == (Bands{}):
		b = Choose(k, o.Threshold, o.Recall)
	case b.B == 0:
		b.B = min(k/max(b.R, 1), MaxBands)
	case b.R == 0:
		b.R = k / b.B
	}
	return b, b.Check(k)
}

// A Key is a bucket and the digest of what lies in it.
type Key struct{ Bucket, Digest uint64 }

// Within returns the key of a band for records of one value, given as a hash: keys of one band
// and different values differ in their bucket, but for one in 2^40, and in their digest.
func (k Key) Within(value uint64) Key {
	return Key{k.Bucket ^ value&(1<<hashBits-1), k.Digest ^ value}
}

const (
	mulA = 0x9fb21c651e98df25
	mulB = 0xa0761d6478bd642f
)

func mum(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

// Append appends the keys of a sketch to dst, one a band, with the digest of
// its set. The hash of a band is h = mum(h xor slot, mulA) for each slot, from the number
// of the band on.
func (b Bands) Append(dst []Key, slots []uint32, set uint64) []Key {
	for i := range b.B {
		h := uint64(i+1) * mulB
		for _, v := range slots[i*b.R : (i+1)*b.R] {
			h = mum(h^uint64(v), mulA)
		}
		dst = append(dst, Key{Parts(b.B).Bucket(i, mum(h, mulB)), set})
	}
	return dst
}

// AppendText appends the key as text: bucket, dot, digest.
func (k Key) AppendText(dst []byte) []byte {
	dst = append(digest.AppendHex(dst, k.Bucket, 16), '.')
	return digest.AppendHex(dst, k.Digest, 16)
}

// FormatBucket returns a bucket as it stands in the text of a key.
func FormatBucket(bucket uint64) string { return string(digest.AppendHex(nil, bucket, 16)) }
