package ids

import (
	"cmp"
	"math/bits"
	"slices"
)

// Order returns the numbers of the ids in the order of Compare, equal ids in list order. It
// returns nil if the order is 0, 1, 2, …
func (l *List) Order() []uint32 {
	compare := l.compareIDs()
	var key func(i uint32) uint64 // returns an id's sort key; nil if any id is spelled out
	if len(l.arena) == 0 {
		ranks := l.prefixes.ranks()
		key = func(i uint32) uint64 {
			word := l.word(int(i))
			return uint64(ranks[word>>ordinalBits])<<ordinalBits | word&maxOrdinal
		}
		compare = func(i, j uint32) int { return cmp.Or(cmp.Compare(key(i), key(j)), cmp.Compare(i, j)) }
	}
	if l.isSorted(compare) {
		return nil
	}
	if key != nil {
		return sortByKey(l.n, key, compare)
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

// isSorted reports whether the ids are in order. Within a run, they are always in order.
func (l *List) isSorted(compare func(i, j uint32) int) bool {
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

// compareIDs returns a function that compares the i-th id with the j-th or, if these are equal, i
// with j.
func (l *List) compareIDs() func(i, j uint32) int {
	var a, b []byte
	return func(i, j uint32) int {
		a, b = l.Append(a[:0], int(i)), l.Append(b[:0], int(j))
		return cmp.Or(Compare(a, b), cmp.Compare(i, j))
	}
}

// dealBits is the number of high bits of a key that select the bucket.
const dealBits = 11

// sortByKey returns the order of n ids by their 63-bit keys, using 4 bytes per id. In one pass, it
// distributes the ids into buckets by the high bits of their keys. It then sorts each bucket,
// which fits into the cache, by words that combine the low bits of the key with the number of the
// id. A single sort of all ids would miss the cache twice in each comparison. If the low bits do
// not fit into a word, or a bucket is too large for the cache, sortByKey sorts the bucket with
// compare.
func sortByKey(n int, key func(i uint32) uint64, compare func(i, j uint32) int) []uint32 {
	low, high := key(0), key(0)
	for i := range uint32(n) {
		low, high = min(low, key(i)), max(high, key(i))
	}
	shift := max(0, bits.Len64(high-low)-dealBits) // number of low bits, which do not select the bucket

	var starts [1<<dealBits + 1]uint32
	for i := range uint32(n) {
		starts[(key(i)-low)>>shift+1]++
	}
	for b := 1; b < len(starts); b++ {
		starts[b] += starts[b-1]
	}
	next, order := starts, make([]uint32, n)
	for i := range uint32(n) {
		at := &next[(key(i)-low)>>shift]
		order[*at] = i
		*at++
	}

	var words []uint64
	for b, start := range starts[:len(starts)-1] {
		bucket := order[start:starts[b+1]]
		if shift > 32 || len(bucket) > n/16 {
			slices.SortFunc(bucket, compare)
			continue
		}
		words = words[:0]
		for _, i := range bucket {
			words = append(words, (key(i)-low)&(1<<shift-1)<<32|uint64(i))
		}
		slices.Sort(words)
		for at, word := range words {
			bucket[at] = uint32(word)
		}
	}
	return order
}

// Ranks inverts an order: it returns the position of each number. Ranks(nil) is nil.
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

// Arrange renumbers the ids: id number order[i] becomes number i. Arrange overwrites order. If
// order is nil, Arrange changes nothing.
func (l *List) Arrange(order []uint32) {
	if order == nil {
		return
	}
	if l.words == nil {
		l.expandRuns()
	}
	for start := range order {
		first, at := *l.words.at(start), start
		for int(order[at]) != start { // follow a cycle of the permutation and mark it as done
			from := int(order[at])
			*l.words.at(at) = *l.words.at(from)
			order[at], at = uint32(at), from
		}
		*l.words.at(at) = first
		order[at] = uint32(at)
	}
}
