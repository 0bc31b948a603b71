package lsh

import "github.com/cespare/xxhash/v2"

// A Partition says how buckets fall into partitions, by which a sort of keys is
// split. An even spread is all that is asked of it.
type Partition interface {
	Partitions() int
	Partition(bucket uint64) int // from 0, below Partitions
}

// Parts are the buckets of signatures that are cut into so many parts, each with a
// key: bands, or choices of blocks. A bucket is the number of the part and 40 bits
// of its hash.
type Parts int

// Bucket returns the bucket of a part, by its number and its hash.
func (n Parts) Bucket(part int, hash uint64) uint64 {
	return uint64(part)<<hashBits | hash>>(64-hashBits)
}

// Partitions are 256 to a part.
func (n Parts) Partitions() int { return int(n) << 8 }

// Partition is the number of the part and 8 bits of its hash.
func (n Parts) Partition(bucket uint64) int { return int(bucket >> (hashBits - 8)) }

// Hash hashes a number to 64 bits.
func Hash(v uint64) uint64 { return mum(v^mulB, mulA) }

// ByHash partitions buckets whose bits say nothing by themselves: they are hashed into
// 256 partitions.
type ByHash struct{}

// Partitions are 256.
func (ByHash) Partitions() int { return 256 }

// Partition is 8 bits of the hash.
func (ByHash) Partition(bucket uint64) int { return int(Hash(bucket) >> 56) }

// PartOf returns the part, from 0 and below n, that a bucket falls into by the text of
// it, whatever kind of key it is of: its xxHash modulo n. Parts may be paired apart,
// on different machines, since what shares a key is in one.
func PartOf(bucket []byte, n int) int { return int(xxhash.Sum64(bucket) % uint64(n)) }
