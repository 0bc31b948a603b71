package lsh

import "github.com/cespare/xxhash/v2"

// A Partition distributes buckets to partitions, to divide the sorting of keys. It should
// spread them evenly.
type Partition interface {
	Partitions() int
	Partition(bucket uint64) int // from 0, below Partitions
}

// Parts is the number of parts of a signature, each with a key: bands, or choices of blocks. A
// bucket is the number of the part and 40 bits of its hash.
type Parts int

// Bucket returns the bucket of a part, by its number and its hash.
func (n Parts) Bucket(part int, hash uint64) uint64 {
	return uint64(part)<<hashBits | hash>>(64-hashBits)
}

// Partitions returns 256 per part.
func (n Parts) Partitions() int { return int(n) << 8 }

// Partition returns the number of the part and 8 bits of its hash.
func (n Parts) Partition(bucket uint64) int { return int(bucket >> (hashBits - 8)) }

// Hash hashes a number to 64 bits.
func Hash(v uint64) uint64 { return mum(v^mulB, mulA) }

// ByHash partitions buckets with arbitrary bits: it hashes them into 256 partitions.
type ByHash struct{}

// Partitions returns 256.
func (ByHash) Partitions() int { return 256 }

// Partition returns 8 bits of the hash.
func (ByHash) Partition(bucket uint64) int { return int(Hash(bucket) >> 56) }

// PartOf returns the part, 0 to n-1, of a bucket in text form, for any kind of key: its xxHash
// modulo n. Parts may be paired on different machines, because records that share a key are in
// the same part.
func PartOf(bucket []byte, n int) int { return int(xxhash.Sum64(bucket) % uint64(n)) }
