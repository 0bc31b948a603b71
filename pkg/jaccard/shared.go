package jaccard

import "slices"

// A merge of sorted sets is bound by latency, because each step waits for the comparison in the
// previous step. So one loop runs two merges at the same time, one of the lower halves of both sets
// and one of the upper halves, which is 1.75 times as fast as a single merge. The loop has no
// unpredictable branches. After every few steps, Shared checks whether enough elements remain to
// reach the required number.

// A remainder holds the elements of two sets that a merge has not reached yet.
type remainder struct{ a, b []uint64 }

// mostShared returns an upper bound on the number of elements that m.a and m.b share.
func (m *remainder) mostShared() int { return min(len(m.a), len(m.b)) }

// stride is the maximum number of steps between two checks of the remaining elements.
const stride = 64

// Shared returns how many elements two sets share, or -1 as soon as it is certain that they
// share fewer than need.
func Shared(a, b []uint64, need int) int {
	mid, at := len(a)/2, 0 // both sets are split at the same value
	if len(a) > 0 {
		at, _ = slices.BinarySearch(b, a[mid])
	}
	lo, hi := remainder{a[:mid], b[:at]}, remainder{a[mid:], b[at:]}
	shared := 0
	for {
		if shared+lo.mostShared()+hi.mostShared() < need {
			return -1
		}
		n := min(lo.mostShared(), hi.mostShared(), stride)
		if n == 0 {
			break
		}
		shared += mergeSteps2(&lo, &hi, n)
	}
	if lo.mostShared() == 0 {
		lo = hi
	}
	for {
		if shared+lo.mostShared() < need {
			return -1
		}
		n := min(lo.mostShared(), stride)
		if n == 0 {
			return shared
		}
		shared += mergeSteps(&lo, n)
	}
}

// mergeSteps runs n steps of a merge and returns how many shared elements it found. n must be at
// most m.mostShared().
func mergeSteps(m *remainder, n int) (shared int) {
	a, b := m.a[:n], m.b[:n]
	i, j := 0, 0
	for range n {
		x, y := a[i], b[j]
		var le, ge int
		if x <= y {
			le = 1
		}
		if y <= x {
			ge = 1
		}
		i += le
		j += ge
		shared += le & ge
	}
	m.a, m.b = m.a[i:], m.b[j:]
	return shared
}

// mergeSteps2 is like mergeSteps, but runs n steps of two merges in one loop, and returns how many
// shared elements they found in total.
func mergeSteps2(m, o *remainder, n int) (shared int) {
	a, b, c, d := m.a[:n], m.b[:n], o.a[:n], o.b[:n]
	i, j, k, l := 0, 0, 0, 0
	for range n {
		x, y := a[i], b[j]
		v, w := c[k], d[l]
		var le, ge, lf, gf int
		if x <= y {
			le = 1
		}
		if y <= x {
			ge = 1
		}
		if v <= w {
			lf = 1
		}
		if w <= v {
			gf = 1
		}
		i += le
		j += ge
		k += lf
		l += gf
		shared += le&ge + lf&gf
	}
	m.a, m.b, o.a, o.b = m.a[i:], m.b[j:], o.a[k:], o.b[l:]
	return shared
}
