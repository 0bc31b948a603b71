package keepdrop

import (
	"fmt"
	"slices"

	"doppel/pkg/record/ordinals"
	"doppel/pkg/wording"
)

// A decision may drop a record in favour of another, its favourite. That one may
// be dropped as well, as where the decisions of two runs are applied at once,
// but then in favour of a third, and so on to one that is kept; else a decision
// would say that something is kept, and nothing would be. The policy greedy of
// dupgroup names only what it keeps, and components the one record that it
// keeps of a group, so their lists always pass.
//
// It costs 4 bytes an id, and two steps for each.

// favour notes that a record is dropped in favour of another. Of two such
// decisions on one record the last one counts.
func (l *list) favour(kept []byte, dropped uint32) error {
	n, err := l.favouriteNumber(kept)
	if err != nil {
		return err
	}
	if n == dropped {
		return fmt.Errorf("%q is dropped in favour of itself", kept)
	}
	if missing := int(dropped) + 1 - len(l.favourite); missing > 0 {
		l.favourite = append(l.favourite, make([]uint32, missing)...)
	}
	l.favourite[dropped] = n + 1
	l.favoured.Add(int64(n))
	return nil
}

// favouriteNumber returns the number of the id of a favourite, which need not be
// among the records if the list is of more than those.
func (l *list) favouriteNumber(id []byte) (uint32, error) {
	if l.partial {
		return l.ids.Intern(l.asRead(id)), l.ids.Full()
	}
	return l.number(id)
}

// favouriteOf returns the record in whose favour one is dropped.
func (l *list) favouriteOf(n uint32) (kept uint32, ok bool) {
	if int(n) >= len(l.favourite) || l.favourite[n] == 0 {
		return 0, false
	}
	return l.favourite[n] - 1, true
}

// checkFavours refuses a list by which a favourite is not kept.
func (l *list) checkFavours() error {
	f := favours{list: l}
	for n := range l.favourite {
		if err := f.follow(uint32(n)); err != nil {
			return wording.WithHint(err, "decide on what other decisions have left")
		}
	}
	return nil
}

// favours is a walk from records to their favourites.
type favours struct {
	*list
	passed ordinals.Set // by this walk, or one that went well
	sound  ordinals.Set // leads to a record that is kept
}

// follow goes from a record that is dropped to the one that is kept.
func (f *favours) follow(from uint32) error {
	for n := from; f.open(n); {
		kept, ok := f.favouriteOf(n)
		switch {
		case !ok && (n == from || f.cut):
			return nil // a rule dropped it; of parts it may drop one of which others are copies
		case !ok:
			return fmt.Errorf("%q is dropped in favour of %q, which a rule drops", f.before(n), f.id(n))
		case f.passed.Has(int64(n)):
			return fmt.Errorf("%q is dropped in favour of %q, which leads back to it", f.id(n), f.id(kept))
		}
		f.passed.Add(int64(n))
		n = kept
	}
	for n := from; f.open(n); n, _ = f.favouriteOf(n) {
		f.sound.Add(int64(n))
	}
	return nil
}

// open reports whether it is not known yet that a record leads to one that is
// kept.
func (f *favours) open(n uint32) bool { return f.drops.Has(int64(n)) && !f.sound.Has(int64(n)) }

func (l *list) id(n uint32) []byte { return l.ids.Append(nil, int(n)) }

// before returns the id of a record whose favourite is n.
func (l *list) before(n uint32) []byte { return l.id(uint32(slices.Index(l.favourite, n+1))) }
