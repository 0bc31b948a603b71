package keypairs

import (
	"maps"

	"github.com/cespare/xxhash/v2"

	"doppel/pkg/line"
	"doppel/pkg/stage/pairs"
)

// An idCheck detects ids that two signatures share, for example because several files were signed
// without -H. Such ids are errors, because it would be unclear which signature a pair names. All
// keys of a signature have the same digest, so an id with two digests belongs to two signatures.
//
// To keep the table small, only ids whose hash ends with enough zero bits are checked. That is
// sufficient: files signed without -H have so many ids in common that some of them are checked.
type idCheck struct {
	digests map[uint64]uint64 // maps the hash of an id to the hash of the digest
	mask    uint64            // bits that must be zero in the hash of a checked id
}

// maxChecked is the maximum number of ids in the table. If a run has at most this many ids, all ids
// are checked.
const maxChecked = 1 << 14

// check returns an error if the key's id is also the id of another signature.
func (t *idCheck) check(k line.Key) error {
	digest := k.Digest()
	id := xxhash.Sum64(k.ID)
	if digest == nil || id&t.mask != 0 {
		return nil
	}
	sum := xxhash.Sum64(digest)
	had, known := t.digests[id]
	switch {
	case known && had != sum:
		return pairs.TwoSignatures(k.ID)
	case known:
		return nil
	case t.digests == nil:
		t.digests = map[uint64]uint64{}
	case len(t.digests) == maxChecked:
		t.mask = t.mask<<1 | 1
		maps.DeleteFunc(t.digests, func(id, _ uint64) bool { return id&t.mask != 0 })
		return t.check(k)
	}
	t.digests[id] = sum
	return nil
}
