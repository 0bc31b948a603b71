package blockhash

import (
	"encoding/binary"
	"fmt"

	"github.com/cespare/xxhash/v2"

	"doppel/pkg/digest"
)

// A Sum is a 64-bit hash, stored in Hi, or a 128-bit hash.
type Sum = digest.Sum

// A Kind is a hash function. FNV-1a is the function of the published method (see the package
// comment); xxh64 and XXH3 mix better and are faster. None of these three resists deliberate
// collisions; HighwayHash with a secret key does.
//
// Measured with go test -bench . ./pkg/blockhash on texts of 12 kB: FNV-1a hashes 0.8 GB/s (3.2 in
// four lanes), HighwayHash 11, xxh64 12, and XXH3-128 52. Opening and reading a file takes 5 µs,
// and hashing it with xxh64 at most 1 µs more. The default is xxh64, because its hashes have 16
// digits like those of FNV-1a, and it mixes better.
type Kind string

const (
	FNV1a   Kind = "fnv1a"
	XXH64   Kind = "xxh64"
	XXH3    Kind = "xxh3-128"
	Highway Kind = "highway"
)

// A Hash is a hash function, with its key if it has one.
type Hash struct {
	kind Kind
	wide digest.Hash // computes the 128-bit hashes
}

// New returns a hash function. HighwayHash needs a key of digest.KeySize bytes; the others take no
// key.
func New(kind Kind, key []byte) (h Hash, err error) {
	h.kind = kind
	switch kind {
	case FNV1a, XXH64, XXH3:
		if key != nil {
			err = fmt.Errorf("the hash %s takes no key", kind)
		}
	case Highway:
		h.wide, err = digest.Keyed(key)
	default:
		err = fmt.Errorf("invalid hash %q: want fnv1a, xxh64, xxh3-128 or highway", kind)
	}
	return h, err
}

// Bits returns the width of the hash in bits, 64 or 128.
func (h Hash) Bits() int {
	if h.kind == FNV1a || h.kind == XXH64 {
		return 64
	}
	return 128
}

// String returns the name of the hash. The name of a keyed hash includes a check value of the key,
// so hashes with different keys have different names.
func (h Hash) String() string {
	if h.Bits() == 64 {
		return string(h.kind)
	}
	return h.wide.String()
}

// Sums sets sums[i] to the hash of texts[i]. Both slices must have the same length.
func (h Hash) Sums(sums []Sum, texts [][]byte) {
	if h.kind == FNV1a {
		fnvSums(sums, texts)
		return
	}
	for i, t := range texts {
		sums[i] = h.sum(t)
	}
}

func (h Hash) sum(text []byte) Sum {
	switch h.kind {
	case FNV1a:
		return Sum{Hi: fnv(fnvOffset, text)}
	case XXH64:
		return Sum{Hi: xxhash.Sum64(text)}
	}
	return h.wide.Sum(text)
}

// AppendSize appends the size of a file to dst as eight bytes in little-endian order. The size is
// hashed in this form, after the blocks.
func AppendSize(dst []byte, size int64) []byte {
	return binary.LittleEndian.AppendUint64(dst, uint64(size))
}

// NewStream returns a stream that hashes a text written in pieces.
func (h Hash) NewStream() digest.Stream {
	switch h.kind {
	case FNV1a:
		s := fnvStream(fnvOffset)
		return &s
	case XXH64:
		return xxh64Stream{xxhash.New()}
	}
	return h.wide.NewStream()
}

type xxh64Stream struct{ *xxhash.Digest }

func (s xxh64Stream) Sum() Sum { return Sum{Hi: s.Sum64()} }
