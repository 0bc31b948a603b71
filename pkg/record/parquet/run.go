package parquet

import (
	"fmt"

	"doppel/pkg/record"
	"doppel/pkg/record/parquet/pages"
)

// A run is rows of one row group.
type run struct {
	source *source
	group  *pages.Group
	first  int64
	n      int
}

// decode reads the texts and ids of the run. An error of reading is that of
// all its records, for nobody knows which of them are right.
func (r *run) decode(b *record.Batch) {
	err := r.read(b)
	if err == nil {
		return
	}
	for i := range b.Records {
		b.Records[i].Err = fmt.Errorf("reading Parquet: %w", err)
	}
}

func (r *run) read(b *record.Batch) error {
	s := r.source
	if s.id != nil {
		if err := r.column(b, *s.id, func(rec *record.Record, v []byte) { rec.ID = v }); err != nil {
			return err
		}
	}
	switch {
	case s.opt.NoText || s.opt.Skip != nil && r.skipsAll(b):
		return nil
	case len(s.text) == 0:
		return r.rows(b)
	case len(s.text) == 1:
		return r.column(b, s.text[0], func(rec *record.Record, v []byte) { rec.Text = v })
	}
	for _, c := range s.text {
		err := r.column(b, c, func(rec *record.Record, v []byte) {
			if len(rec.Ends) > 0 {
				rec.Text = append(rec.Text, '\n')
			}
			rec.Text = append(rec.Text[:len(rec.Text):len(rec.Text)], v...)
			rec.Ends = append(rec.Ends, len(rec.Text))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *run) skipsAll(b *record.Batch) bool {
	for i := range b.Records {
		if !b.Skipped(&b.Records[i]) {
			return false
		}
	}
	return true
}
