package keepdrop

import (
	"strconv"

	"doppel/pkg/line/ids"
	"doppel/pkg/record/ordinals"
)

// Where records go by their ordinals, a bit for each ordinal up to the largest of
// the list says whether it is listed. Most records are not, and need no look into
// the table then, which takes 200 instructions: hashing an id, and writing out
// the one to compare it with.

// sparsest is how many bits there may be for an id of the list; a list of few
// ids that are large numbers has none.
const sparsest = 4096

// sieve sets the bits.
func (l *list) sieve() {
	largest := int64(-1)
	l.eachOrdinal(func(n int64) { largest = max(largest, n) })
	if largest/sparsest < int64(l.ids.Len()) {
		l.listed = ordinals.Set{}
		l.eachOrdinal(func(n int64) { l.listed.Add(n) })
	}
}

// eachOrdinal calls fn with the ids that are ordinals.
func (l *list) eachOrdinal(fn func(int64)) {
	var id []byte
	for i := range l.ids.Len() {
		id = l.ids.Append(id[:0], i)
		if n, ok := ids.Ordinal(id); ok {
			fn(n)
		}
	}
}

// lacks reports whether it is known that no id of the list is this ordinal.
func (l *list) lacks(ordinal int64) bool { return l.listed != nil && !l.listed.Has(ordinal) }

// passes reports whether nothing is wanted of a record but that it is copied: it
// is not dropped, and nothing is in its favour. It may be called from several
// threads once the list is read.
func (l *list) passes(ordinal int64) bool {
	var id [20]byte
	n, listed := uint32(0), false
	if !l.lacks(ordinal) {
		n, listed = l.ids.Lookup(strconv.AppendInt(id[:0], ordinal, 10))
	}
	if !listed {
		return !l.inverse
	}
	return l.drops.Has(int64(n)) == l.inverse && !l.favoured.Has(int64(n))
}
