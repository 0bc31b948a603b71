package simhash

import (
	"io"

	"doppel/pkg/par"
)

// Within emits every pair within the maximum distance k; it misses none.
//
// The bits are divided into m > k blocks. Two hashes that differ in k bits or fewer agree in at
// least m-k whole blocks, so for at least one choice of m-k blocks they have the same key, which
// consists of the bits of these blocks. For each choice, Within sorts the hashes by that key and
// compares hashes with the same key (G. S. Manku, A. Jain, A. Das Sarma, Detecting near-duplicates
// for web crawling, WWW 2007). Only the first choice that can find a pair emits it, so no pair has
// to be remembered. If many hashes have the same key, as is usual with real texts, the search
// recurses into the bits outside the key. Equal hashes are searched as one hash.
//
// The number of blocks is chosen by cost: more blocks mean longer keys and fewer comparisons, but
// more sorts. For random hashes of 64 bits and k = 3, the cheapest choice needs 4 sorts for up to a
// few million hashes, and 10 sorts for more. So the time per hash grows in steps with the logarithm
// of the number of hashes. With two goroutines on a busy machine (BenchmarkWithin), Within takes
// 0.05 s for 10^5 hashes, 0.5 s for 10^6, and 10 s for 10^7. If it is cheapest to compare every
// hash with every other, for example because k is near the width, Within calls All.
//
// Within uses 28 bytes per hash, and up to Mem bytes in addition. For each choice, it divides the
// hashes by key into ranges that fit in Mem, but keeps hashes whose keys have the same first 16
// bits in one range. Each range costs a pass over all hashes.
//
// If Within calls All, the pairs are in the order in which All emits them. Otherwise, pairs of
// equal hashes come first, and the other pairs follow, ordered by choice, key and position. The
// order does not depend on Mem or Jobs.
func (s Search) Within(hashes []Hash, emit func(Pair) error) error {
	if s.Max < 0 {
		return nil
	}
	d := newIndex(hashes)
	l := s.cheapestLevel(len(d.items), s.Width)
	if l == nil && s.Max > 0 {
		return s.All(hashes, emit)
	}
	for i := range d.items {
		places := d.positions(i)
		for j, a := range places {
			for _, b := range places[j+1:] {
				if err := emit(Pair{A: a, B: b}); err != nil {
					return err
				}
			}
		}
	}
	if s.Max == 0 {
		return nil
	}
	units, largest := s.units(l, d.items), 0
	for _, u := range units {
		largest = max(largest, u.n)
	}
	next := func() (u unit, err error) {
		if len(units) == 0 {
			return u, io.EOF
		}
		u, units = units[0], units[1:]
		return u, nil
	}
	worker := func() func(unit) []Pair {
		own := make([]item, 2*largest)
		return func(u unit) (found []Pair) {
			s.searchUnit(l, u, d.items, own[:2*u.n], func(a, b uint32, distance int) {
				found = append(found, Pair{A: a, B: b, Distance: uint8(distance)})
			})
			return found
		}
	}
	return par.Ordered(s.Jobs, next, worker, func(found []Pair) error {
		for _, p := range found {
			for _, a := range d.positions(int(p.A)) {
				for _, b := range d.positions(int(p.B)) {
					if err := emit(Pair{A: min(a, b), B: max(a, b), Distance: p.Distance}); err != nil {
						return err
					}
				}
			}
		}
		return nil
	})
}

// findPairs calls emit for each pair of items within the maximum distance. The arguments of emit
// are the positions of the two items, and their distance. The hashes of the items may differ only
// in their lowest bits; width is the number of these bits.
func (s Search) findPairs(items []item, width int, emit func(a, b uint32, d int)) {
	l := s.cheapestLevel(len(items), width)
	if l == nil {
		for i := range items {
			for j := i + 1; j < len(items); j++ {
				if d := distance(items[i].hash, items[j].hash); d <= s.Max {
					emit(items[i].at, items[j].at, d)
				}
			}
		}
		return
	}
	own := make([]item, 2*len(items))
	for _, order := range l.choices {
		u := unit{order: order, to: 1 << maxRangeBits, n: len(items)}
		s.searchUnit(l, u, items, own, func(a, b uint32, d int) { emit(items[a].at, items[b].at, d) })
	}
}

// A unit is a part of the work for one choice of blocks. It consists of the n items whose key
// prefix is in [from, to).
type unit struct {
	order    []block
	from, to uint64 // range of key prefixes of at most maxRangeBits bits
	n        int
}

const maxRangeBits = 16

// For each choice of blocks, units divides the work into ranges of key prefixes, so that the items
// of a range fit in memory.
func (s Search) units(l *level, items []item) (units []unit) {
	const itemBytes = 2 * 24 // size of an item and its copy for sorting, in bytes
	room := max(1, int(s.Mem)/itemBytes/s.Jobs)
	for _, order := range l.choices {
		counts := make([]int, 1<<l.rangeBits())
		for i := range items {
			counts[l.prefix(items[i].hash, order)]++
		}
		u := unit{order: order}
		for key, n := range counts {
			if u.n+n > room && u.n > 0 {
				units = append(units, u)
				u = unit{order: order, from: uint64(key)}
			}
			u.n += n
			u.to = uint64(key) + 1
		}
		units = append(units, u)
	}
	return units
}

// searchUnit emits the pairs of the unit that no earlier choice finds, as indexes into items. own
// is scratch space for 2*u.n items.
func (s Search) searchUnit(l *level, u unit, items, own []item, emit func(a, b uint32, d int)) {
	mine, spare := own[:0], own[u.n:2*u.n]
	for i := range items {
		if key := l.prefix(items[i].hash, u.order); u.from <= key && key < u.to {
			mine = append(mine, item{permute(items[i].hash, u.order), uint32(i)})
		}
	}
	low := l.width - l.keyBits
	sortBits(mine, spare, low, l.keyBits)
	first := func(a, b uint32, d int) {
		if l.isFirst(u.order, items[a].hash, items[b].hash) {
			emit(min(a, b), max(a, b), d)
		}
	}
	mask := uint64(1)<<l.keyBits - 1
	for len(mine) > 0 {
		n, key := 1, mine[0].hash.shift(uint(low))&mask
		for n < len(mine) && mine[n].hash.shift(uint(low))&mask == key {
			n++
		}
		if n > 1 {
			s.findPairs(mine[:n], low, first)
		}
		mine = mine[n:]
	}
}
