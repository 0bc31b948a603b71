package parquet

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	pq "github.com/parquet-go/parquet-go"

	"doppel/pkg/record"
	"doppel/pkg/record/fieldpath"
	"doppel/pkg/record/parquet/convert"
	"doppel/pkg/record/parquet/pages"
)

// A run is a range of rows of one row group.
type run struct {
	source *source
	group  *pages.Group
	first  int64
	n      int64
	pages  []leafPage // the pages with the texts of the run, in order; released with the batch
	err    error      // the error from limitTexts, which opens the pages
}

// A leafPage is a page of texts, with the index of its leaf.
type leafPage struct {
	leaf int
	page *pages.TextPage
}

// decode reads the texts and ids of the run. If reading fails, all records of the run get the
// error, because any of them may be wrong.
func (r *run) decode(b *record.Batch) {
	err := r.err
	if err == nil {
		err = r.read(b)
	}
	if err == nil {
		r.setMissing(b)
		r.limitSizes(b)
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
		if err := r.readColumn(b, *s.id, func(rec *record.Record, v []byte) { rec.ID = v }); err != nil {
			return err
		}
	}
	switch {
	case s.opt.NoText || s.opt.Skip != nil && !slices.ContainsFunc(b.Records, func(rec record.Record) bool { return !b.Skipped(&rec) }):
		return nil
	case s.wholeRows():
		if err := r.readRows(b); err != nil {
			return err
		}
	}
	if len(s.text) == 1 {
		return r.readColumn(b, s.text[0], func(rec *record.Record, v []byte) { rec.Text = v })
	}
	for _, c := range s.text {
		if err := r.readColumn(b, c, (*record.Record).AddField); err != nil {
			return err
		}
	}
	return nil
}

// setMissing changes the records in which a wanted field is null, if the options accept them.
func (r *run) setMissing(b *record.Batch) {
	for i := range b.Records {
		if rec := &b.Records[i]; rec.Err == record.ErrMissing || rec.Err == errNoValue {
			text := rec.Err == record.ErrMissing
			rec.Err = nil
			r.source.opt.Missing.SetMissing(rec, text)
		}
	}
}

// limitSizes sets the error of each record whose text exceeds the maximum size of a record.
func (r *run) limitSizes(b *record.Batch) {
	most := cmp.Or(r.source.opt.MaxRecord, record.DefaultMax)
	for i := range b.Records {
		if rec := &b.Records[i]; rec.Err == nil && int64(len(rec.Text)) > most {
			rec.Err = record.TooLong(most)
		}
	}
}

// maxRunBytes is the maximum size in bytes of the texts of a run.
const maxRunBytes = 1 << 30

// readColumn reads one column of the run, and calls the function set for each value. If a value is
// null, its record gets an error. Texts are not copied.
func (r *run) readColumn(b *record.Batch, c column, set func(*record.Record, []byte)) error {
	if c.part != nil {
		for i := range b.Records {
			v := []byte(c.part.Value)
			if c.part.Null {
				v = nil
			}
			c.setOrNull(&b.Records[i], v, set)
		}
		return nil
	}
	if c.lists != nil {
		return r.joinLists(b, c, set)
	}
	if r.source.file.Texts(c.index) {
		for _, p := range r.pages {
			if p.leaf != c.index {
				continue
			}
			err := p.page.Each(r.first, r.first+r.n, func(row int64, text []byte) bool {
				c.setOrNull(&b.Records[row-r.first], text, set)
				return true
			})
			if err != nil {
				return err
			}
		}
		return nil
	}
	spans := make([][2]int, 0, r.n)
	err := r.group.Values(c.index, r.first, r.n, func(values []pq.Value) error {
		for _, v := range values {
			start, end := 0, -1 // an end of -1 means null
			if !v.IsNull() {
				start, end = b.Append(func(dst []byte) []byte { return convert.AppendText(dst, c.kind, v) })
			}
			spans = append(spans, [2]int{start, end})
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i, sp := range spans {
		var v []byte
		if sp[1] >= 0 {
			v = b.Bytes(sp[0], sp[1])
		}
		c.setOrNull(&b.Records[i], v, set)
	}
	return nil
}

// joinLists reads one column of lists. For each row, it calls set with the values of the row,
// joined by LF.
func (r *run) joinLists(b *record.Batch, c column, set func(*record.Record, []byte)) error {
	spans, texts := make([][2]int, 0, r.n), 0
	at := make([]int, len(c.lists)) // for each list, the index of the current element
	addValue := func(rec *record.Record, v pq.Value) {
		rep, def := v.RepetitionLevel(), v.DefinitionLevel()
		if def < c.lists[0].def-1 && (rec.Err == nil || rec.Err == errNoValue) {
			rec.Err = c.null("an array")
		}
		for i, l := range c.lists {
			level := i + 1 // repetition level of the list's elements
			switch {
			case rep == level:
				at[i]++
			case rep < level:
				at[i] = 0
				if l.at != fieldpath.All || i > 0 && def < l.def {
					rec.Absent++ // the element counts as absent until it is found
				}
			}
			if def < l.def || l.at != fieldpath.All && l.at != at[i] {
				return
			}
			if l.at != fieldpath.All && rep <= level {
				rec.Absent--
			}
		}
		if def < c.def {
			rec.Absent++
			return
		}
		_, spans[len(spans)-1][1] = b.Append(func(dst []byte) []byte {
			if texts++; texts > 1 {
				dst = append(dst, '\n')
			}
			return convert.AppendText(dst, c.kind, v)
		})
	}
	err := r.group.Values(c.index, r.first, r.n, func(values []pq.Value) error {
		for _, v := range values {
			if v.RepetitionLevel() == 0 {
				start, end := b.Append(func(dst []byte) []byte { return dst })
				spans, texts = append(spans, [2]int{start, end}), 0
			}
			addValue(&b.Records[len(spans)-1], v)
		}
		if last := spans[len(spans)-1]; last[1]-spans[0][0] > maxRunBytes {
			return errors.New("rows of more than 1 GiB in one batch")
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i, sp := range spans {
		if rec := &b.Records[i]; rec.Err == nil {
			set(rec, b.Bytes(sp[0], sp[1]))
		}
	}
	return nil
}

// errNoValue is the error of a record without a value of --within or --across, if --missing accepts
// such records.
var errNoValue = errors.New("no value")

// setOrNull calls set with a value of the column. If the value is null, setOrNull sets the record's
// error instead.
func (c *column) setOrNull(rec *record.Record, v []byte, set func(*record.Record, []byte)) {
	if v != nil {
		set(rec, v)
	} else if rec.Err == nil || rec.Err == errNoValue {
		rec.Err = c.null("a string")
	}
}

// null returns the error for a null in place of a value of the given kind.
func (c *column) null(want string) error {
	switch {
	case c.missing && c.value:
		return errNoValue
	case c.missing:
		return record.ErrMissing
	}
	if want == "an array" {
		return fieldpath.NoWay(c.field, "null", want)
	}
	return &fieldpath.NullError{Field: c.field, Want: want}
}

// readRows gives each record a text that contains all values of its row: a JSON object, which is
// also its Raw, if Options.Objects asks for one; otherwise a text that differs for different rows.
func (r *run) readRows(b *record.Batch) error {
	s := r.source
	objects := convert.NewObjects(s.file, s.parts)
	spans := make([][2]int, 0, r.n)
	var fields []byte // the fields of directories, in the order of their names
	parts := slices.Clone(s.parts)
	slices.SortFunc(parts, func(p, q record.Partition) int { return strings.Compare(p.Name, q.Name) })
	for _, p := range parts {
		fields = fmt.Appendf(fields, "%q=%q %t\n", p.Name, p.Value, p.Null)
	}
	err := r.group.Each(r.first, r.n, func(_ int64, row pq.Row) error {
		var err error
		start, end := b.Append(func(dst []byte) []byte {
			if !s.opt.Objects {
				return append(s.file.AppendRow(dst, row), fields...)
			}
			object, objectErr := objects.Append(dst, row)
			if err = objectErr; err != nil {
				return dst
			}
			return object
		})
		if err != nil {
			return err
		}
		spans = append(spans, [2]int{start, end})
		if end-spans[0][0] > maxRunBytes {
			return errors.New("rows of more than 1 GiB in one batch")
		}
		return nil
	})
	for i, sp := range spans {
		rec, text := &b.Records[i], b.Bytes(sp[0], sp[1])
		if r.source.opt.Objects {
			rec.Raw = text
		}
		if len(r.source.text) == 0 {
			rec.Text = text
		}
	}
	return err
}
