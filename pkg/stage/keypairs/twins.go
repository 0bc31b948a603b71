package keypairs

import (
	"maps"

	"github.com/cespare/xxhash/v2"

	"doppel/pkg/line"
	"doppel/pkg/stage/pairs"
)

// twins finds ids shared by two signatures, as when several files are signed without -H: a pair
// could not say which signature it means. All keys of a signature have one digest, so an id with
// two digests has two signatures. Only ids with enough zeros at the end of their hash are
// checked, which keeps the table small: files without -H share so many ids that the check sees
// some of them.
type twins struct {
	digests map[uint64]uint64 // by the hash of the id
	mask    uint64            // the bits that are zero in the hashes of checked ids
}

// mostTwins limits the ids in the table. A smaller run has all its ids checked.
const mostTwins = 1 << 14

// check returns an error if another signature has the id of the key.
func (t *twins) check(k line.Key) error {
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
	case len(t.digests) == mostTwins:
		t.mask = t.mask<<1 | 1
		maps.DeleteFunc(t.digests, func(id, _ uint64) bool { return id&t.mask != 0 })
		return t.check(k)
	}
	t.digests[id] = sum
	return nil
}
