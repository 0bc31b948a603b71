package simhash

import (
	"cmp"
	"slices"
)

// An index holds the distinct hashes of a slice, and the positions of each hash in the slice.
type index struct {
	items  []item   // one per distinct hash, in ascending order; the positions of the hash start at places[item.at]
	places []uint32 // positions in the slice of hashes, ordered by hash and then by position
}

// newIndex builds the index of hashes. It sorts in place. A sort with a second array would save a
// sixth of the time to search ten million hashes, but would need more memory.
func newIndex(hashes []Hash) *index {
	items := make([]item, len(hashes))
	for i, h := range hashes {
		items[i] = item{h, uint32(i)}
	}
	slices.SortFunc(items, func(a, b item) int {
		if c := a.hash.compare(b.hash); c != 0 {
			return c
		}
		return cmp.Compare(a.at, b.at)
	})
	d := &index{places: make([]uint32, len(items))}
	for i, it := range items {
		d.places[i] = it.at
	}
	kept := items[:0]
	for i, it := range items {
		if i == 0 || it.hash != kept[len(kept)-1].hash {
			kept = append(kept, item{it.hash, uint32(i)})
		}
	}
	d.items = kept
	return d
}

// positions returns the positions in the slice at which the i-th distinct hash occurs.
func (d *index) positions(i int) []uint32 {
	end := len(d.places)
	if i+1 < len(d.items) {
		end = int(d.items[i+1].at)
	}
	return d.places[d.items[i].at:end]
}
