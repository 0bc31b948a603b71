package ids

import (
	"cmp"
	"slices"
)

// Order returns the numbers of the ids in the order of Compare, equal ids in
// the order of the list, or nil if that is 0, 1, 2, …
func (l *List) Order() []uint32 {
	compare := l.comparison()
	if l.sorted(compare) {
		return nil
	}
	order := numbers(l.n)
	slices.SortStableFunc(order, func(i, j uint32) int { return compare(int(i), int(j)) })
	return order
}

// numbers returns those below n.
func numbers(n int) []uint32 {
	all := make([]uint32, n)
	for i := range all {
		all[i] = uint32(i)
	}
	return all
}

// sorted reports whether the ids are in order. Those of a run are.
func (l *List) sorted(compare func(i, j int) int) bool {
	if l.words == nil {
		for at := 1; at < len(l.runs); at++ {
			if first := l.runs[at].first; compare(first-1, first) > 0 {
				return false
			}
		}
		return true
	}
	for i := 1; i < l.n; i++ {
		if compare(i-1, i) > 0 {
			return false
		}
	}
	return true
}

// comparison returns Compare of the i-th and the j-th id. Where none is spelled out
// it is that of two numbers.
func (l *List) comparison() func(i, j int) int {
	if len(l.arena) == 0 {
		ranks := l.prefixes.ranks()
		key := func(i int) uint64 {
			word := l.word(i)
			return uint64(ranks[word>>ordinalBits])<<ordinalBits | word&maxOrdinal
		}
		return func(i, j int) int { return cmp.Compare(key(i), key(j)) }
	}
	var a, b []byte
	return func(i, j int) int {
		a, b = l.Append(a[:0], i), l.Append(b[:0], j)
		return Compare(a, b)
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
