package report

import (
	"cmp"
	"slices"
)

// Places counts things by place, and the superfluous things among them: records and dropped
// records by file or field value, files and copies by directory.
type Places struct {
	By    string
	Rows  []Place
	Other int64 // number of values without a row

	all map[string]*Place
}

// A Place is a row of Places.
type Place struct {
	Name         string
	Things, Gone int64
}

const (
	mostPlaces = 50  // rows of a table
	mostValues = 1e5 // values counted separately
)

// Add counts things. After too many distinct values, all new values share a row.
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

// Fill sets Rows to the places with the most superfluous things. called returns the display
// name of a place; nil keeps the names.
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
