// Package lsh implements locality-sensitive hashing. It turns sketches into keys such that
// similar records are likely to share a key, and it finds the pairs of records that share a key
// of any kind. Package method defines signatures and their keys.
//
// Banding (Broder 1997; Indyk and Motwani 1998): a sketch of k slots is divided into b bands of
// r slots, and the hash of each band is a key. Two records with Jaccard similarity J share at
// least one key with probability 1-(1-J^r)^b, an S-shaped curve over J.
//
// A key is written as two numbers of 16 hex digits, separated by a dot. The first number is the
// bucket: the band's index followed by 40 bits of the band's hash. The second number is the digest
// of the record's whole set. Records with equal keys have equal sets, so only the first of them is
// compared with other records, and the decision on it applies to the rest. Hashes of only 40 bits
// keep lines short. They cause about n²/2^41 false pairs per band among n records, or about 45
// among ten million records, but these pairs are rejected at negligible cost when their sets are
// compared.
package lsh

import (
	"fmt"
	"math"
	"math/bits"

	"doppel/pkg/digest"
)

// MaxBands is the maximum number of bands into which a sketch can be divided.
const MaxBands = 256

// hashBits is the number of bits of a band's hash that a key contains.
const hashBits = 40

// Bands is a division of sketches into B bands of R slots each.
type Bands struct{ B, R int }

func (b Bands) String() string { return fmt.Sprintf("%d bands of %d rows", b.B, b.R) }

// Chance returns the probability that two records of similarity j share a key.
func (b Bands) Chance(j float64) float64 {
	return 1 - math.Pow(1-math.Pow(j, float64(b.R)), float64(b.B))
}

// Check returns an error if a sketch of k slots cannot be divided into these bands.
func (b Bands) Check(k int) error {
	switch {
	case b.B < 1 || b.R < 1:
		return fmt.Errorf("%v: want 1 or more of each", b)
	case b.B > MaxBands:
		return fmt.Errorf("%v: want 1 to %d bands", b, MaxBands)
	case b.R > k/b.B: // not b.B*b.R > k, which overflows
		return fmt.Errorf("%v need %.0f slots, but a sketch has %d", b, float64(b.B)*float64(b.R), k)
	}
	return nil
}

// Choose divides k slots into bands such that a pair whose similarity equals the threshold is found
// with at least the given probability, the recall. Of all such bands, it returns those with the
// most slots per band, which yield the fewest candidate pairs. If no bands reach that probability,
// Choose returns bands of one slot, which come closest. More slots per band mean fewer bands and a
// lower probability, so the search ends when the probability falls below the recall.
func Choose(k int, threshold, recall float64) Bands {
	best := Bands{min(k, MaxBands), 1}
	for r := 2; r <= k; r++ {
		b := Bands{min(k/r, MaxBands), r}
		if b.Chance(threshold) < recall {
			break
		}
		best = b
	}
	for b := best; b.B > 0; b.B-- { // drop bands that are not needed
		if b.Chance(threshold) < recall {
			break
		}
		best = b
	}
	return best
}

// Options control how signatures become keys.
type Options struct {
	Threshold float64 // similarity threshold for which Settle chooses bands
	Recall    float64 // minimum probability of finding a pair whose similarity is Threshold
	Bands     Bands   // bands to use; Settle fills in fields that are zero
	Within    int     // maximum distance in bits at which two simhashes always share a key
}

// Settle returns the bands for sketches of k slots: o.Bands, with a zero field filled in, or the
// result of Choose if both fields are zero. It returns an error if the bands do not fit into k
// slots.
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

// A Key is a bucket and the digest of a record in it.
type Key struct{ Bucket, Digest uint64 }

// Within combines a key with a hash of the record's value, so that only records with equal values
// share a key. If two records share a key but have different values, their new keys differ in the
// digest and, except with probability 2^-40, in the bucket.
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

// Append appends the keys of a sketch to dst, one per band. The last argument is the digest of the
// record's set, which all keys contain. The hash of a band depends on the band's number and on its
// slots.
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

// AppendText appends the text form of the key to dst: the bucket, a dot and the digest.
func (k Key) AppendText(dst []byte) []byte {
	dst = append(digest.AppendHex(dst, k.Bucket, 16), '.')
	return digest.AppendHex(dst, k.Digest, 16)
}

// FormatBucket returns a bucket as 16 hex digits, as in the text form of a key.
func FormatBucket(bucket uint64) string { return string(digest.AppendHex(nil, bucket, 16)) }
