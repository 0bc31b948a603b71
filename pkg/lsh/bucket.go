package lsh

import "github.com/cespare/xxhash/v2"

// A Partition assigns buckets to partitions, so that keys can be sorted one partition at a time.
// It should spread the buckets evenly.
type Partition interface {
	Partitions() int
	Partition(bucket uint64) int // in the range [0, Partitions())
}

// Parts is the number of parts into which signatures are divided: the bands of a sketch, or the
// combinations of blocks of a simhash. Each part yields one key. The bucket of that key is the
// part's number followed by 40 bits of the part's hash.
type Parts int

// Bucket returns the bucket of the part with the given number and hash.
func (n Parts) Bucket(part int, hash uint64) uint64 {
	return uint64(part)<<hashBits | hash>>(64-hashBits)
}

// Partitions returns 256 times the number of parts.
func (n Parts) Partitions() int { return int(n) << 8 }

// Partition returns the part's number followed by the top 8 bits of the part's hash.
func (n Parts) Partition(bucket uint64) int { return int(bucket >> (hashBits - 8)) }

// Hash returns a 64-bit, non-cryptographic hash of v.
func Hash(v uint64) uint64 { return mum(v^mulB, mulA) }

// ByHash assigns buckets to 256 partitions by a hash of the bucket. It suits buckets whose own
// bits are not evenly distributed.
type ByHash struct{}

// Partitions returns 256.
func (ByHash) Partitions() int { return 256 }

// Partition returns the top 8 bits of the bucket's hash.
func (ByHash) Partition(bucket uint64) int { return int(Hash(bucket) >> 56) }

// PartOf assigns a bucket in text form, of any kind of key, to one of n parts, numbered from 0.
// It returns the bucket's xxHash modulo n. All records of a bucket are in the same part, so
// different machines can pair different parts.
func PartOf(bucket []byte, n int) int { return int(xxhash.Sum64(bucket) % uint64(n)) }
