package ids

import (
	"cmp"
	"slices"
)

// Order returns the numbers of the ids in the order of Compare, equal ids in
// the order of the list, or nil if that is 0, 1, 2, …
func (l *List) Order() []uint32 {
	spelled := len(l.arena) > 0
	compare := l.compareKeys()
	if spelled {
		compare = l.compareIDs()
	}
	if l.sorted(compare) {
		return nil
	}
	if !spelled {
		return newDeal(l.n, l.key()).sort(l.n, compare)
	}
	order := Numbers(l.n)
	slices.SortFunc(order, compare)
	return order
}

// Numbers returns 0, 1, 2, … n-1.
func Numbers(n int) []uint32 {
	all := make([]uint32, n)
	for i := range all {
		all[i] = uint32(i)
	}
	return all
}

// sorted reports whether the ids are in order. Those of a run are.
func (l *List) sorted(compare func(i, j uint32) int) bool {
	ordered := func(i int) bool { return i == 0 || compare(uint32(i-1), uint32(i)) < 0 }
	if l.words == nil {
		return !slices.ContainsFunc(l.runs, func(r run) bool { return !ordered(r.first) })
	}
	for i := range l.n {
		if !ordered(i) {
			return false
		}
	}
	return true
}

// compareIDs returns Compare of the i-th and the j-th id, and of i and j if they are equal.
func (l *List) compareIDs() func(i, j uint32) int {
	var a, b []byte
	return func(i, j uint32) int {
		a, b = l.Append(a[:0], int(i)), l.Append(b[:0], int(j))
		return cmp.Or(Compare(a, b), cmp.Compare(i, j))
	}
}

// compareKeys is compareIDs where no id is spelled out.
func (l *List) compareKeys() func(i, j uint32) int {
	key := l.key()
	return func(i, j uint32) int {
		return cmp.Or(cmp.Compare(key(i), key(j)), cmp.Compare(i, j))
	}
}

// key returns the numbers that have the order of the ids, if none is spelled out.
func (l *List) key() func(i uint32) uint64 {
	ranks := l.prefixes.ranks()
	return func(i uint32) uint64 {
		word := l.word(int(i))
		return uint64(ranks[word>>ordinalBits])<<ordinalBits | word&maxOrdinal
	}
}

// Ranks inverts an order: where in it each number stands. Nil gives nil.
func Ranks(order []uint32) []uint32 {
	if order == nil {
		return nil
	}
	ranks := make([]uint32, len(order))
	for rank, i := range order {
		ranks[i] = uint32(rank)
	}
	return ranks
}

// Arrange brings the ids into an order, which is given up: the number of an id is then
// its place in it. Nil leaves all as it is.
func (l *List) Arrange(order []uint32) {
	if order == nil {
		return
	}
	if l.words == nil {
		l.spread()
	}
	for start := range order {
		first, at := *l.words.at(start), start
		for int(order[at]) != start { // a cycle, the places of which are made their own
			from := int(order[at])
			*l.words.at(at) = *l.words.at(from)
			order[at], at = uint32(at), from
		}
		*l.words.at(at) = first
		order[at] = uint32(at)
	}
}
