package report

import (
	"cmp"
	"slices"
)

// Places count things by where they are, and how much of them is superfluous there: records by
// file or by the value of a field, and those that are dropped; copies of files by directory,
// and their bytes.
type Places struct {
	By    string
	Rows  []Place
	Other int64 // values that have no row

	all  map[string]*Place
	last *Place
}

// A Place is a row of Places.
type Place struct {
	Name         string
	Things, Gone int64
}

const (
	mostPlaces = 50  // rows of a table
	mostValues = 1e5 // that are counted apart
)

// Add counts things. There is one row for all values that come when there are too many.
func (p *Places) Add(value []byte, things, gone int64) {
	if p.last == nil || string(value) != p.last.Name {
		if p.all == nil {
			p.all = map[string]*Place{}
		}
		row := p.all[string(value)]
		if row == nil {
			name := string(value)
			if len(p.all) >= mostValues {
				name = "…"
			}
			if row = p.all[name]; row == nil {
				row = &Place{Name: name}
				p.all[name] = row
			}
		}
		p.last = row
	}
	p.last.Things += things
	p.last.Gone += gone
}

// Fill fills Rows with the places where most is superfluous, as they are to be called.
func (p *Places) Fill(called func(string) string) {
	for _, row := range p.all {
		p.Rows = append(p.Rows, Place{called(row.Name), row.Things, row.Gone})
	}
	slices.SortFunc(p.Rows, func(a, b Place) int {
		return cmp.Or(cmp.Compare(b.Gone, a.Gone), cmp.Compare(b.Things, a.Things), cmp.Compare(a.Name, b.Name))
	})
	shown := min(len(p.Rows), mostPlaces)
	p.Rows, p.Other = p.Rows[:shown], int64(len(p.Rows)-shown)
	p.all, p.last = nil, nil
}
