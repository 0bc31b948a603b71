package simhash

import (
	"cmp"
	"slices"
)

// An index is the different hashes of a slice and where each of them stands.
type index struct {
	items  []item   // a hash each, ascending; at is where its places begin
	places []uint32 // by hash and then ascending
}

// collapse sorts in place: the memory of a second array is worth more here
// than the time, a sixth of the search of ten million hashes.
func collapse(hashes []Hash) *index {
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

// at returns the places of the i-th hash.
func (d *index) at(i int) []uint32 {
	end := len(d.places)
	if i+1 < len(d.items) {
		end = int(d.items[i+1].at)
	}
	return d.places[d.items[i].at:end]
}

// equals emits the pairs of places that have the same hash.
func (d *index) equals(emit func(Pair) error) error {
	for i := range d.items {
		places := d.at(i)
		for j, a := range places {
			for _, b := range places[j+1:] {
				if err := emit(Pair{A: a, B: b}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// expand emits, for pairs of different hashes, the pairs of their places.
func (d *index) expand(found []Pair, emit func(Pair) error) error {
	for _, p := range found {
		for _, a := range d.at(int(p.A)) {
			for _, b := range d.at(int(p.B)) {
				if err := emit(Pair{A: min(a, b), B: max(a, b), Distance: p.Distance}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
