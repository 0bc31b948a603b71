package audit

// Twins finds out which sets of a sample have a similar set in a large collection.
type Twins struct {
	Threshold float64
	Old       bool   // Similar is called with old records, which are not in the sample
	Found     []bool // the caller sets Found[i] if it finds a set similar to set i of the sample

	sets    [][]uint64
	records []int64 // ordinal of the record of each set; a record is not compared with itself
	values  []uint64
	holders map[uint64][]int32
	filter  []uint64 // a bit is set for each key of holders, so Similar can skip most other hashes
}

// filterBits is the number of hash bits that select a bit of the filter. The filter takes 2 MB,
// which fits into a second-level cache.
const filterBits = 24

// Add adds a set to the sample. Two sets with the same value are not compared, unless the
// value is 0.
func (w *Twins) Add(record int64, set []uint64, value uint64) {
	if w.holders == nil {
		w.holders, w.filter = map[uint64][]int32{}, make([]uint64, 1<<filterBits/64)
	}
	for _, h := range set {
		w.holders[h] = append(w.holders[h], int32(len(w.sets)))
		w.filter[h>>(70-filterBits)] |= 1 << (h >> (64 - filterBits) % 64)
	}
	w.sets, w.records, w.values = append(w.sets, set), append(w.records, record), append(w.values, value)
	w.Found = append(w.Found, false)
}

// Similar finds the sets of the sample that are similar to a given set, and appends their numbers
// to dst. The last argument is scratch memory with one element per set of the sample; all elements
// must be zero, and are zero again when Similar returns. Concurrent calls need different scratch
// memory.
func (w *Twins) Similar(dst []int32, record int64, set []uint64, value uint64, counts []int32) []int32 {
	if w.filter == nil { // the sample is empty
		return dst
	}
	var met []int32
	for _, h := range set {
		if w.filter[h>>(70-filterBits)]>>(h>>(64-filterBits)%64)&1 == 0 {
			continue
		}
		for _, i := range w.holders[h] {
			if counts[i]++; counts[i] == 1 {
				met = append(met, i)
			}
		}
	}
	for _, i := range met {
		shared := int(counts[i])
		counts[i] = 0
		l := Likeness{shared, len(set) + len(w.sets[i]) - shared}
		if (w.Old || w.records[i] != record) && (value == 0 || w.values[i] != value) && l.Reaches(w.Threshold) {
			dst = append(dst, i)
		}
	}
	return dst
}
