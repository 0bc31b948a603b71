package dupreport

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"doppel/pkg/record"
	"doppel/pkg/report"
	"doppel/pkg/tool"
	"doppel/pkg/wording"
)

// readRecords reads the records, counts them, and takes the texts that are shown.
func (r *session) readRecords() error {
	opt := r.e.Records
	if r.opt.Whole {
		opt.Fields = nil
	}
	opt.Fields = append(slices.Clone(opt.Fields), r.opt.By...)
	rd, err := record.NewReader(r.e.Input(r.opt.Data), opt)
	if err != nil {
		return err
	}
	if err := tool.EachRecord(r.e, rd, r.record); err != nil {
		return err
	}
	r.totals.Unread = r.e.Unread()
	if err := r.texts.missing(); err != nil {
		return err
	}
	if whole := r.fates.drops - r.fates.parts; r.totals.Dropped < int64(r.fates.dropped.Len()) && r.totals.Unread == 0 {
		return fmt.Errorf("of %s that the decisions drop %d are among the records", wording.Number(whole, "record"), r.totals.Dropped)
	}
	return nil
}

// record takes a record.
func (r *session) record(rec *record.Record) error {
	key := rec.ID
	if r.opt.Ordinals {
		key = strconv.AppendInt(nil, rec.Ordinal, 10)
	}
	dropped := r.fates.isDropped(key)
	text, values := r.split(rec)
	r.totals.Records++
	r.totals.Bytes += int64(len(text))
	if dropped {
		r.totals.Dropped++
		r.totals.DroppedBytes += int64(len(text))
	}
	r.places[0].add([]byte(rec.Name), dropped)
	for i, v := range values {
		r.places[1+i].add(v, dropped)
	}
	return r.texts.met(key, rec, text, r.label(rec))
}

// split returns the text of a record and the values by which it is counted, which
// were read as if they were texts.
func (r *session) split(rec *record.Record) (text []byte, values [][]byte) {
	n := len(r.opt.By)
	switch {
	case n == 0:
		return rec.Text, nil
	case r.opt.Whole && n == 1:
		return rec.Raw, [][]byte{rec.Text}
	}
	first := len(rec.Ends) - n
	for i := first; i < len(rec.Ends); i++ {
		values = append(values, rec.Text[begin(rec.Ends, i):rec.Ends[i]])
	}
	if r.opt.Whole {
		return rec.Raw, values
	}
	return rec.Text[:rec.Ends[first-1]], values
}

// begin returns where the ith of some joined texts begins.
func begin(ends []int, i int) int {
	if i == 0 {
		return 0
	}
	return ends[i-1] + 1
}

// places count records by a value.
type places struct {
	by    string
	rows  map[string]*report.Place
	last  []byte
	place *report.Place // of the last one
}

func newPlaces(by string) *places { return &places{by: by, rows: map[string]*report.Place{}} }

// add counts a record.
func (p *places) add(value []byte, dropped bool) {
	if p.place == nil || !bytes.Equal(p.last, value) {
		p.place = p.row(value)
	}
	p.place.Records++
	if dropped {
		p.place.Dropped++
	}
}

// row returns the row of a value. There is one for all values that come when there
// are too many.
func (p *places) row(value []byte) *report.Place {
	p.last = append(p.last[:0], value...)
	if row := p.rows[string(value)]; row != nil {
		return row
	}
	name := string(value)
	if len(p.rows) >= mostValues {
		name = "…"
	}
	row := p.rows[name]
	if row == nil {
		row = &report.Place{Name: name}
		p.rows[name] = row
	}
	return row
}

// table returns the rows of which most was dropped.
func (p *places) table(name func(string) string) report.Places {
	var all []report.Place
	for _, row := range p.rows {
		row.Name = name(row.Name)
		all = append(all, *row)
	}
	slices.SortFunc(all, func(a, b report.Place) int {
		return cmp.Or(cmp.Compare(b.Dropped, a.Dropped), cmp.Compare(b.Records, a.Records), cmp.Compare(a.Name, b.Name))
	})
	shown := min(len(all), mostPlaces)
	return report.Places{By: p.by, Rows: all[:shown], Other: int64(len(all) - shown)}
}
