package ids

import (
	"bytes"
	"slices"
	"strconv"
)

// A List is a sequence of ids, numbered from 0. The zero value is empty.
type List struct {
	n     int
	arena []byte
	ends  []uint64 // where each id ends in arena; nil while ids are 0, 1, 2, …
}

// Len returns the number of ids.
func (l *List) Len() int { return l.n }

// Add appends an id.
func (l *List) Add(id []byte) {
	if l.ends == nil && !isOrdinal(id, l.n) {
		l.spell()
	}
	if l.ends != nil {
		l.arena = append(l.arena, id...)
		l.ends = append(l.ends, uint64(len(l.arena)))
	}
	l.n++
}

func isOrdinal(id []byte, n int) bool {
	var digits [20]byte
	return bytes.Equal(strconv.AppendInt(digits[:0], int64(n), 10), id)
}

// spell writes out the ids that were implied so far.
func (l *List) spell() {
	l.ends = make([]uint64, l.n, 2*l.n+16)
	for i := range l.ends {
		l.arena = strconv.AppendInt(l.arena, int64(i), 10)
		l.ends[i] = uint64(len(l.arena))
	}
}

// Append appends the i-th id to dst.
func (l *List) Append(dst []byte, i int) []byte {
	if l.ends == nil {
		return strconv.AppendInt(dst, int64(i), 10)
	}
	return append(dst, l.at(i)...)
}

// at returns the i-th id of a list that is spelled out.
func (l *List) at(i int) []byte {
	start := uint64(0)
	if i > 0 {
		start = l.ends[i-1]
	}
	return l.arena[start:l.ends[i]]
}

// Order returns the numbers of the ids in the order of Compare, equal ids in
// the order of the list, or nil if that is 0, 1, 2, …
func (l *List) Order() []uint32 {
	if l.sorted() {
		return nil
	}
	order := make([]uint32, l.n)
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortStableFunc(order, func(i, j uint32) int { return Compare(l.at(int(i)), l.at(int(j))) })
	return order
}

func (l *List) sorted() bool {
	if l.ends == nil {
		return true
	}
	for i := 1; i < l.n; i++ {
		if Compare(l.at(i-1), l.at(i)) > 0 {
			return false
		}
	}
	return true
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
