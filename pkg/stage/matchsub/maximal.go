package matchsub

import (
	"math"

	"doppel/pkg/substr"
)

// maxHeld is the maximum number of matches that are written for a pair. Two texts may have as many
// maximal matches as pairs of offsets: two texts of 20 kB that repeat one letter have 40,000, and two
// random texts of 100 kB over two letters have 1.6 billion. A match takes 24 bytes of memory, and
// twice as many as maxHeld are held at a time.
const maxHeld = 1 << 18

// maximal returns the lines of the maximal matches of a pair.
func (m *matcher[T]) maximal(s sides[T]) result {
	found, left := m.largest(s, maxHeld)
	if m.o.Matches != all { // the matches beyond --matches are not reported
		left = excess{}
	}
	found = substr.Largest(found, m.o.Matches)
	most, n := m.maxSymbols(s), 0
	for n < len(found) && int64(found[n].Size) <= most {
		most -= int64(found[n].Size)
		n++
	}
	r := m.lines(s, found[:n])
	for r.left = left; n < len(found); n++ {
		r.left.add(found[n].Size, 1)
	}
	return r
}

// largest returns up to n of the largest maximal matches of a pair in the order in which they are
// found, or sorted. It counts the others.
func (m *matcher[T]) largest(s sides[T], n int) (found []substr.Match, left excess) {
	least := m.o.Threshold
	prune := func() {
		found = substr.Largest(found, all)
		for len(found) > n {
			left.add(found[len(found)-1].Size, 1)
			found = found[:len(found)-1]
		}
		least = found[n-1].Size + 1 // a later match of the same size comes after those found before
	}
	s.eachMaximal(m.o.Threshold, func(match substr.Match) error {
		if match.Size < least {
			left.add(match.Size, 1)
		} else if found = append(found, match); len(found) == 2*n {
			prune()
		}
		return nil
	})
	if len(found) > n {
		prune()
	}
	return found, left
}

// minSymbols is the smallest limit that the option Most sets for the matches of a pair, in symbols.
const minSymbols = 1 << 20

// maxSymbols returns the maximum number of symbols in the matches written for a pair. Without this
// limit, two texts that repeat one letter for 28 kB have 800 MB of matches.
func (m *matcher[T]) maxSymbols(s sides[T]) int64 {
	if m.o.Most == 0 || m.o.Matches != all {
		return math.MaxInt64
	}
	return max(minSymbols, int64(m.o.Most)*int64(max(len(s.a), len(s.b))))
}

// An excess counts the matches of a pair that are not written because of Options.Most, and the
// symbols in these matches.
type excess struct{ matches, text int64 }

// add counts further matches, all of the given size.
func (x *excess) add(size, matches int) {
	x.matches += int64(matches)
	x.text += int64(size) * int64(matches)
}

func (x excess) plus(y excess) excess { return excess{x.matches + y.matches, x.text + y.text} }
