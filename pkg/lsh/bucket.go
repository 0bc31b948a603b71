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

// Bucket returns the number of a part followed by the highest 40 bits of its hash.
func (n Parts) Bucket(part int, hash uint64) uint64 {
	return uint64(part)<<hashBits | hash>>(64-hashBits)
}

// Partitions returns the number of partitions, which is 256 per part.
func (n Parts) Partitions() int { return int(n) << 8 }

// Partition returns the partition of a bucket: the part's number followed by the top 8 bits of the
// part's hash.
func (n Parts) Partition(bucket uint64) int { return int(bucket >> (hashBits - 8)) }

// Hash returns a 64-bit, non-cryptographic hash of v.
func Hash(v uint64) uint64 { return mum(v^mulB, mulA) }

// ByHash assigns buckets to 256 partitions by a hash of the bucket. It suits buckets whose own
// bits are not evenly distributed.
type ByHash struct{}

// Partitions returns the number of partitions, which is 256.
func (ByHash) Partitions() int { return 256 }

// Partition returns the partition of a bucket: the top 8 bits of the bucket's hash.
func (ByHash) Partition(bucket uint64) int { return int(Hash(bucket) >> 56) }

// PartOf divides the buckets among n machines, each of which pairs only the records of its own
// buckets. It returns the number of a machine, from 0 to n-1: the xxHash of the bucket's text form,
// modulo n. The bucket may belong to any kind of key.
func PartOf(bucket []byte, n int) int { return int(xxhash.Sum64(bucket) % uint64(n)) }
