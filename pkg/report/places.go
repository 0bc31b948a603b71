package report

import (
	"cmp"
	"slices"
)

// Places is a table with two counts per place, Things and Gone. If the places are files or field
// values, Things is the number of records, and Gone is the number of dropped records. If the places
// are directories, Things is the number of copies, and Gone is the number of bytes that the copies
// take.
type Places struct {
	By    string
	Rows  []Place
	Other int64 // number of places left out of Rows

	all map[string]*Place
}

// A Place is a row of Places.
type Place struct {
	Name         string
	Things, Gone int64
}

const (
	mostPlaces = 50  // maximum length of Rows
	mostValues = 1e5 // maximum number of places counted separately
)

// Add adds the given numbers to the counts Things and Gone of the place with the given name. After
// mostValues places, further ones are counted in the row "…".
func (p *Places) Add(value []byte, things, gone int64) {
	row := p.all[string(value)]
	if row == nil && len(p.all) >= mostValues {
		value = []byte("…")
		row = p.all[string(value)]
	}
	if row == nil {
		if p.all == nil {
			p.all = map[string]*Place{}
		}
		row = &Place{Name: string(value)}
		p.all[row.Name] = row
	}
	row.Things += things
	row.Gone += gone
}

// Fill sets Rows to the places with the largest values of Gone, in descending order. The argument
// is a function that returns the display name of a place, or nil to leave the names unchanged.
func (p *Places) Fill(called func(string) string) {
	for _, row := range p.all {
		if called != nil {
			row.Name = called(row.Name)
		}
		p.Rows = append(p.Rows, *row)
	}
	slices.SortFunc(p.Rows, func(a, b Place) int {
		return cmp.Or(cmp.Compare(b.Gone, a.Gone), cmp.Compare(b.Things, a.Things), cmp.Compare(a.Name, b.Name))
	})
	shown := min(len(p.Rows), mostPlaces)
	p.Rows, p.Other = p.Rows[:shown], int64(len(p.Rows)-shown)
	p.all = nil
}
