package substr

import (
	"cmp"
	"slices"
)

// Maximal calls emit with every match that cannot be extended to the left or to the right, ordered
// by offset in the first text and then in the second. least is the minimum number of symbols in a
// match. Matches may overlap and cross, and there can be as many matches as pairs of offsets. If
// emit returns an error, Maximal stops and returns the error.
//
// In the sorted order of all suffixes, the suffixes of text b that have a long enough common prefix
// with a given suffix of text a are the nearest ones before and after the given suffix. If the two
// suffixes follow the same symbol in their texts, the match is not maximal, because it can be
// extended to the left. Precomputed jumps skip whole ranges of such suffixes. After a jump, the
// next suffix of b yields a maximal match, unless its common prefix is too short, which ends the
// search in this direction.
//
// Maximal sorts the suffixes of the parts that the texts may share (see sharedParts), and then takes at
// most two steps per match. It uses 36 bytes of memory per symbol of these parts, and 32 bytes per symbol
// of b.
func Maximal[T Symbol](a, b []T, least int, emit func(Match) error) error {
	inA, inB := sharedParts(a, b, max(1, least))
	if len(inA) == 0 || len(a) == 0 || len(b) == 0 {
		return nil
	}
	j := joinParts(a, b, inA, inB)
	m := newNeighbours(j, len(j.fromA), func(x, y int32) bool {
		x, y = j.fromB[x], j.fromB[y]
		return x > 0 && y > 0 && b[x-1] == b[y-1]
	})
	var found []Match
	for at, i := range j.fromA {
		same := func(x int32) bool { return i > 0 && j.fromB[x] > 0 && a[i-1] == b[j.fromB[x]-1] }
		found = m.appendMatches(found[:0], at, int32(max(1, least)), same)
		for _, match := range found {
			match.A, match.B = int(i), int(j.fromB[match.B])
			if err := emit(match); err != nil {
				return err
			}
		}
	}
	return nil
}

// neighbours locates the suffixes of text a among the sorted suffixes of text b.
type neighbours struct {
	at           []int32 // for each offset in text a, the number of suffixes of text b that sort before the suffix of a
	before, next []int32 // for each suffix of a, the length of its common prefix with the suffix of b that sorts just before or after it
	pos          []int32 // offsets of the suffixes of text b, in sorted order
	lcp          []int32 // lcp[k] is the length of the common prefix of suffixes pos[k-1] and pos[k]
	back, ahead  []jump  // jumps from each suffix of b to the nearest suffix on either side that follows a different symbol
}

// A jump leads from one suffix of b to another, which is pos[to]; lcp is the length of the common
// prefix of the two.
type jump struct{ to, lcp int32 }

// newNeighbours computes the neighbours for the joined texts of j. na is the length of the first
// text, in symbols. same(x, y) reports whether offsets x and y of text b are preceded by the same
// symbol.
func newNeighbours(j *suffixes, na int, same func(j, k int32) bool) *neighbours {
	m := &neighbours{at: make([]int32, na), before: make([]int32, na), next: make([]int32, na)}
	n := j.n - na - 1
	m.pos, m.lcp = make([]int32, 0, n), make([]int32, 0, n)
	since := int32(0) // length of the common prefix of the current suffix and the last visited suffix of b
	for i, p := range j.pos {
		since = min(since, j.lcp[i])
		switch {
		case p >= j.b:
			m.pos, m.lcp = append(m.pos, p-j.b), append(m.lcp, since)
			since = infinite
		case int(p) < na:
			m.at[p], m.before[p] = int32(len(m.pos)), since
		}
	}
	since = 0
	for i := len(j.pos) - 1; i >= 0; i-- {
		p := j.pos[i]
		switch {
		case p >= j.b:
			since = infinite
		case int(p) < na:
			m.next[p] = since
		}
		since = min(since, j.lcp[i])
	}
	m.back, m.ahead = make([]jump, n), make([]jump, n)
	for k := range n {
		m.back[k] = jump{int32(k - 1), m.lcp[k]}
		if k > 0 && same(m.pos[k], m.pos[k-1]) {
			m.back[k] = jump{m.back[k-1].to, min(m.lcp[k], m.back[k-1].lcp)}
		}
	}
	for k := n - 1; k >= 0; k-- {
		switch {
		case k == n-1:
			m.ahead[k] = jump{int32(n), 0}
		case same(m.pos[k], m.pos[k+1]):
			m.ahead[k] = jump{m.ahead[k+1].to, min(m.lcp[k+1], m.ahead[k+1].lcp)}
		default:
			m.ahead[k] = jump{int32(k + 1), m.lcp[k+1]}
		}
	}
	return m
}

// appendMatches appends the matches at offset i of text a, ordered by offset in text b. same(j)
// reports whether offset j of text b and offset i of text a are preceded by the same symbol.
func (m *neighbours) appendMatches(found []Match, i int, least int32, same func(j int32) bool) []Match {
	size := m.before[i]
	for k := m.at[i] - 1; k >= 0 && size >= least; {
		if j := m.pos[k]; same(j) {
			size, k = min(size, m.back[k].lcp), m.back[k].to
		} else {
			found = append(found, Match{i, int(j), int(size)})
			size, k = min(size, m.lcp[k]), k-1
		}
	}
	size = m.next[i]
	for k := m.at[i]; int(k) < len(m.pos) && size >= least; {
		if same(m.pos[k]) {
			size, k = min(size, m.ahead[k].lcp), m.ahead[k].to
			continue
		}
		found = append(found, Match{i, int(m.pos[k]), int(size)})
		if k++; int(k) < len(m.pos) {
			size = min(size, m.lcp[k])
		}
	}
	slices.SortFunc(found, func(x, y Match) int { return cmp.Compare(x.B, y.B) })
	return found
}
