package keepdrop

import (
	"fmt"
	"slices"

	"doppel/pkg/msg"
	"doppel/pkg/record/bitset"
)

// A decision that drops a record may name another as kept. That record may be dropped as well, for
// example when the decisions of two runs are applied at once. It must then be dropped in favour of a
// third record, and so on; this chain must end at a record that stays.
// Otherwise no record of the group would be kept. Lists written by dupgroup always pass this check,
// because dupgroup names only records that stay.
//
// The check takes 4 bytes per id, and visits each id at most twice.

// keptOf returns the number of the record kept in place of record n; ok is false if n has none.
func (l *list) keptOf(n uint32) (kept uint32, ok bool) {
	if int(n) >= len(l.keptFor) || l.keptFor[n] == 0 {
		return 0, false
	}
	return l.keptFor[n] - 1, true
}

// root follows the chain from record n to the record that stays. grouped reports whether the group
// of n has other records.
func (l *list) root(n uint32) (root uint32, grouped bool) {
	for grouped = l.favoured.Has(int64(n)); l.drops.Has(int64(n)); grouped = true {
		kept, ok := l.keptOf(n)
		if !ok {
			break
		}
		n = kept
	}
	return n, grouped
}

// sizes returns the number of records in each group of two or more, by the number of the group's
// root. A decision to keep the root may give a larger size, which also counts the records of other
// shards. The map takes about 40 bytes per root.
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

// checkKept returns an error if a chain of kept records does not end at a kept record.
func (l *list) checkKept() error {
	var passed, sound bitset.Set // passed: records visited so far; sound: records known to lead to a kept record
	open := func(n uint32) bool { return l.drops.Has(int64(n)) && !sound.Has(int64(n)) }
	follow := func(from uint32) error {
		for n := from; open(n); {
			kept, ok := l.keptOf(n)
			switch {
			case !ok && (n == from || l.cut):
				return nil // n is dropped by a rule; with --cut, a rule may also drop a kept record
			case !ok:
				before := l.id(uint32(slices.Index(l.keptFor, n+1)))
				return fmt.Errorf("%q is dropped in favour of %q, which a rule drops", before, l.id(n))
			case passed.Has(int64(n)):
				return fmt.Errorf("%q is dropped in favour of %q, which leads back to %[1]q", l.id(n), l.id(kept))
			}
			passed.Add(int64(n))
			n = kept
		}
		for n := from; open(n); n, _ = l.keptOf(n) {
			sound.Add(int64(n))
		}
		return nil
	}
	for n := range l.keptFor {
		if err := follow(uint32(n)); err != nil {
			return msg.WithHint(err, "make these decisions only on records that the other decisions keep")
		}
	}
	return nil
}
