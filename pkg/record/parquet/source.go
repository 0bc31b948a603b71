package parquet

import (
	"fmt"
	"io"
	"os"

	pq "github.com/parquet-go/parquet-go"

	"doppel/pkg/record"
)

// runBytes is about how much of the wanted columns one run holds.
const runBytes = 4 << 20

// A source hands out runs of rows.
type source struct {
	file   *pq.File
	opt    *record.Options
	text   []column // none: the whole row
	id     *column  // nil: ids are ordinals
	group  int      // the row group that the next run is of
	row    int64    // in that group
	before int64    // rows in earlier groups
	step   int64    // rows a run, in this group; 0 before its first
}

// open returns a source of the rows of f.
func open(f *os.File, opt *record.Options) (record.Source, error) {
	file, err := openFile(f)
	if err != nil {
		return nil, err
	}
	s := &source{file: file, opt: opt}
	for _, field := range opt.Fields {
		c, err := findColumn(file, field, opt.Scalars)
		if err != nil {
			return nil, err
		}
		s.text = append(s.text, c)
	}
	if opt.ID != "" {
		c, err := findColumn(file, opt.ID, true)
		if err != nil {
			return nil, err
		}
		s.id = &c
	}
	if err := refuseRuns(f, file, s.wants); err != nil {
		return nil, err
	}
	s.file, err = s.index(f)
	return s, err
}

func (s *source) Close() error { return nil } // the reader keeps the file for Copy

// Next hands out the next run. Its rows are read when it is decoded.
func (s *source) Next(b *record.Batch) error {
	groups := s.file.RowGroups()
	for s.group < len(groups) && s.row >= groups[s.group].NumRows() {
		s.before += groups[s.group].NumRows()
		s.group, s.row, s.step = s.group+1, 0, 0
	}
	if s.group == len(groups) {
		return io.EOF
	}
	g := groups[s.group]
	if s.step == 0 {
		s.step = s.rowsPerRun(g)
	}
	r := run{source: s, group: g, first: s.row, n: int(min(s.step, g.NumRows()-s.row))}
	b.Reset(r.n, r.decode)
	for i := range b.Records {
		b.Records[i].Line = s.before + s.row + int64(i) + 1
	}
	b.SetSize(s.bytes(s.group) * int64(r.n) / g.NumRows())
	s.row += int64(r.n)
	return nil
}

// bytes returns the size of the wanted columns of a row group.
func (s *source) bytes(group int) (n int64) {
	columns := s.file.Metadata().RowGroups[group].Columns
	for i, c := range columns {
		if s.wants(i) {
			n += c.MetaData.TotalUncompressedSize
		}
	}
	return n
}

func (s *source) wants(leaf int) bool {
	for _, c := range s.text {
		if c.index == leaf {
			return true
		}
	}
	return s.id != nil && s.id.index == leaf || len(s.text) == 0 && !s.opt.NoText
}

// rowsPerRun cuts a group into runs of about runBytes. Every run but the first
// has to find its rows: by the offset index, or else by decoding all pages
// before them, so a group that has none, since it is damaged, is cut into few.
func (s *source) rowsPerRun(g pq.RowGroup) int64 {
	runs := s.bytes(s.group)/runBytes + 1
	if !s.indexed(g) {
		runs = min(runs, 1+runs/8)
	}
	return max(1, (g.NumRows()+runs-1)/runs)
}

func (s *source) indexed(g pq.RowGroup) bool {
	for i, c := range g.ColumnChunks() {
		if s.wants(i) {
			if _, err := c.OffsetIndex(); err != nil {
				return false
			}
		}
	}
	return true
}

// A run is rows of one row group.
type run struct {
	source *source
	group  pq.RowGroup
	first  int64
	n      int
}

// decode reads the texts and ids of the run. An error of reading is that of
// its first record.
func (r *run) decode(b *record.Batch) {
	if err := r.read(b); err != nil {
		b.Records[0].Err = fmt.Errorf("reading Parquet: %w", err)
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
