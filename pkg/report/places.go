package report

import (
	"cmp"
	"slices"
)

// Places is a table of files, or of the values of a field, with the numbers of their records.
type Places struct {
	By    string // the heading of the names
	Rows  []Place
	Other int64 // number of places left out of Rows

	all map[string]*Place
}

// A Place is a row of Places.
type Place struct {
	Name             string
	Records, Dropped int64
}

const (
	mostPlaces = 50  // maximum length of Rows
	mostValues = 1e5 // maximum number of places counted separately
)

// Add adds numbers of records to the place with the given name. After mostValues places, further ones
// are counted in the row "…".
func (p *Places) Add(value []byte, records, dropped int64) {
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
	row.Records += records
	row.Dropped += dropped
}

// Fill sets Rows to the places with the most dropped records, in descending order. The argument
// is a function that returns the display name of a place, or nil to leave the names unchanged.
func (p *Places) Fill(called func(string) string) {
	for _, row := range p.all {
		if called != nil {
			row.Name = called(row.Name)
		}
		p.Rows = append(p.Rows, *row)
	}
	slices.SortFunc(p.Rows, func(a, b Place) int {
		return cmp.Or(cmp.Compare(b.Dropped, a.Dropped), cmp.Compare(b.Records, a.Records), cmp.Compare(a.Name, b.Name))
	})
	shown := min(len(p.Rows), mostPlaces)
	p.Rows, p.Other = p.Rows[:shown], int64(len(p.Rows)-shown)
	p.all = nil
}
