package review

import (
	"cmp"
	"slices"
)

// A Group is the pairs of one first record: in decisions, of one that is kept.
type Group struct {
	A     string
	Pairs int
	First int // the number of its first pair
}

// Groups returns the groups of a list, the largest first, those of one size in the
// order in which they came.
func (l *List) Groups() ([]Group, error) {
	at := map[string]int{}
	var all []Group
	for i, n := 0, l.Status().Pairs; i < n; i++ {
		p, err := l.at(i)
		if err != nil {
			return nil, err
		}
		g, known := at[p.A]
		if !known {
			g, at[p.A] = len(all), len(all)
			all = append(all, Group{A: p.A, First: i})
		}
		all[g].Pairs++
	}
	slices.SortStableFunc(all, func(a, b Group) int { return cmp.Compare(b.Pairs, a.Pairs) })
	return all, nil
}
