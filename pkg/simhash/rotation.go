package simhash

// Rotation is the search of dedup.py: sort the hashes, compare neighbours,
// rotate every hash right by one bit, and again, once for every bit. It emits
// each pair once, in the order in which it meets them, and is exactly the
// seed's: hashes that are equal stay in the order that the last sort left.
//
// A hash is compared with the window-1 hashes after it; window is at least 2,
// and with 2 only neighbours are compared. Pairs can be missed: see Expected.
//
// Only the first sort is one. A rotation by one bit moves the lowest bit to
// the top and keeps the order of the others, so the sorted sequence of the
// rotated hashes is the old sequence parted by that bit, zeros first, each
// part in its old order: the last step of a radix sort. The hashes themselves
// need not be turned, for rotation changes no distance.
//
// Cost: (6 + 2(window-1)) ns a hash and rotation in the cache, 48 bytes a hash
// and 16 to 32 a pair. BenchmarkRotation: the 128,959 hashes of 128 bits that
// took dedup.py 473 s take about 0.2 s.
func (s Search) Rotation(hashes []Hash, window int, emit func(Pair) error) error {
	items := make([]item, len(hashes))
	for i, h := range hashes {
		items[i] = item{h, uint32(i)}
	}
	spare := make([]item, len(hashes))
	sortBits(items, spare, 0, s.Width)
	var seen pairSet
	for r := range s.Width {
		for i := range items {
			a := &items[i]
			for _, b := range items[i+1 : min(i+window, len(items))] {
				d := distance(a.hash, b.hash)
				if d > s.Max {
					continue
				}
				p := Pair{min(a.at, b.at), max(a.at, b.at), uint8(d), uint8(r)}
				if !seen.add(p.A, p.B) {
					continue
				}
				if err := emit(p); err != nil {
					return err
				}
			}
		}
		part(spare, items, uint(r))
		items, spare = spare, items
	}
	return nil
}

// part copies the items with bit r clear and then those with bit r set.
func part(to, from []item, r uint) {
	var next [2]int
	for i := range from {
		next[1] += int(^from[i].hash.shift(r) & 1)
	}
	for i := range from {
		bit := from[i].hash.shift(r) & 1
		to[next[bit]] = from[i]
		next[bit]++
	}
}
