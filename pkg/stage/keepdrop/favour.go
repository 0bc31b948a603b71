package keepdrop

import (
	"fmt"
	"slices"

	"doppel/pkg/msg"
	"doppel/pkg/record/bitset"
)

// A decision may drop a record in favour of another, its favourite. The favourite may be dropped
// as well, for example when the decisions of two runs are applied at once, but only in favour of
// a third record, and so on to a kept one. Otherwise the list would name a kept record and keep
// none. Dupgroup's policy greedy names only kept records, and components the one kept record of
// a group, so their lists always pass.
//
// The check costs 4 bytes and two steps per id.

// favouriteOf returns the favourite of record n; ok is false if no decision drops n.
func (l *list) favouriteOf(n uint32) (kept uint32, ok bool) {
	if int(n) >= len(l.favourite) || l.favourite[n] == 0 {
		return 0, false
	}
	return l.favourite[n] - 1, true
}

// root follows the favourites from record n to the kept record. grouped reports whether n
// belongs to a group of more than one.
func (l *list) root(n uint32) (root uint32, grouped bool) {
	for grouped = l.favoured.Has(int64(n)); l.drops.Has(int64(n)); grouped = true {
		kept, ok := l.favouriteOf(n)
		if !ok {
			break
		}
		n = kept
	}
	return n, grouped
}

// sizes returns the size of each group, by its root: the root and the records that lead to it. A
// decision to keep the root may give a larger number, which also counts records of other shards.
// The map takes about 40 bytes per root.
func (l *list) sizes() map[uint32]int64 {
	sizes := map[uint32]int64{}
	for n := range uint32(l.ids.Len()) {
		if root, grouped := l.root(n); grouped {
			sizes[root]++
		}
	}
	for n, copies := range l.copies {
		sizes[n] = max(sizes[n], copies)
	}
	return sizes
}

// checkFavours rejects a list in which a favourite is not kept.
func (l *list) checkFavours() error {
	var passed, sound bitset.Set // sound records lead to a kept one
	open := func(n uint32) bool { return l.drops.Has(int64(n)) && !sound.Has(int64(n)) }
	follow := func(from uint32) error {
		for n := from; open(n); {
			kept, ok := l.favouriteOf(n)
			switch {
			case !ok && (n == from || l.cut):
				return nil // dropped by a rule; a part that others copy may be dropped, too
			case !ok:
				before := l.id(uint32(slices.Index(l.favourite, n+1)))
				return fmt.Errorf("%q is dropped in favour of %q, which a rule drops", before, l.id(n))
			case passed.Has(int64(n)):
				return fmt.Errorf("%q is dropped in favour of %q, which leads back to %[1]q", l.id(n), l.id(kept))
			}
			passed.Add(int64(n))
			n = kept
		}
		for n := from; open(n); n, _ = l.favouriteOf(n) {
			sound.Add(int64(n))
		}
		return nil
	}
	for n := range l.favourite {
		if err := follow(uint32(n)); err != nil {
			return msg.WithHint(err, "make these decisions only on records that the other decisions keep")
		}
	}
	return nil
}
