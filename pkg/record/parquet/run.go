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
	n      int64
	pages  []leafPage // of texts, in order; the run holds them
	err    error      // of finding these pages
}

// A leafPage is a page of texts of a leaf.
type leafPage struct {
	leaf int
	page *pages.TextPage
}

// release gives up the pages: no text of the run is valid any more.
func (r *run) release() {
	for _, p := range r.pages {
		p.page.Release()
	}
	r.pages = nil
}

// decode reads the texts and ids of the run. An error of reading is that of
// all its records, for nobody knows which of them are right.
func (r *run) decode(b *record.Batch) {
	err := r.err
	if err == nil {
		err = r.read(b)
	}
	if err == nil {
		return
	}
	err = fmt.Errorf("reading Parquet: %w", err)
	for i := range b.Records {
		b.Records[i].Err = err
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
		if err := r.column(b, c, (*record.Record).AddField); err != nil {
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
