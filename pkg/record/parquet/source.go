package parquet

import (
	"io"
	"os"

	"doppel/pkg/record"
	"doppel/pkg/record/parquet/pages"
)

// runBytes is about how much of the wanted columns one run holds, and runRows
// how many rows at most.
const (
	runBytes = 4 << 20
	runRows  = 1 << 17
)

// A source hands out runs of rows.
type source struct {
	file   *pages.File
	opt    *record.Options
	text   []column // none: the whole row
	id     *column  // nil: ids are ordinals
	group  int      // the row group that the next run is of
	row    int64    // in that group
	before int64    // rows in earlier groups
	step   int64    // rows a run, in this group; 0 before its first
	rows   int64    // of all groups
}

// open returns a source of the rows of f.
func open(f *os.File, opt *record.Options) (record.Source, error) {
	file, err := pages.Open(f)
	if err != nil {
		return nil, err
	}
	s := &source{file: file, opt: opt}
	for _, g := range file.Groups() {
		s.rows += g.Rows()
	}
	for _, field := range opt.Fields {
		c, err := findColumn(file, field, opt.FieldFlag())
		if err != nil {
			return nil, err
		}
		s.text = append(s.text, c)
	}
	if opt.ID != "" {
		c, err := findColumn(file, opt.ID, "--id")
		if err != nil {
			return nil, err
		}
		s.id = &c
	}
	return s, nil
}

// Share returns which part of the rows was handed out.
func (s *source) Share() float64 { return float64(s.before+s.row) / float64(max(1, s.rows)) }

func (s *source) Close() error { return nil } // the reader keeps the file for Copy

// Next hands out the next run. Its rows are read when it is decoded.
func (s *source) Next(b *record.Batch) error {
	groups := s.file.Groups()
	for s.group < len(groups) && s.row >= groups[s.group].Rows() {
		s.before += groups[s.group].Rows()
		s.group, s.row, s.step = s.group+1, 0, 0
	}
	if s.group == len(groups) {
		return io.EOF
	}
	g := groups[s.group]
	if s.step == 0 {
		s.step = s.rowsPerRun(g)
	}
	s.hand(b, run{source: s, group: g, first: s.row, n: int(min(s.step, g.Rows()-s.row))})
	return nil
}

// hand makes a batch of the next run.
func (s *source) hand(b *record.Batch, r run) {
	b.Reset(r.n, r.decode)
	for i := range b.Records {
		b.Records[i].Line = s.before + s.row + int64(i) + 1
	}
	b.SetSize(s.bytes(r.group) * int64(r.n) / r.group.Rows())
	s.row += int64(r.n)
}

// rowsPerRun cuts a group into runs of about runBytes. Every run but the first
// has to find its rows: by where pages begin, or else by decoding all before
// them, so a group of which that is not known is cut into few.
func (s *source) rowsPerRun(g *pages.Group) int64 {
	runs := s.bytes(g)/runBytes + 1
	if !s.seekable(g) {
		runs = min(runs, 1+runs/8)
	}
	return min(runRows, max(1, (g.Rows()+runs-1)/runs))
}

// seekable looks at the headers of the wanted columns. What is wrong with them
// shows when they are read.
func (s *source) seekable(g *pages.Group) bool {
	all := true
	for i := range s.file.Columns() {
		if s.wants(i) {
			known, err := g.Look(i)
			all = all && known && err == nil
		}
	}
	return all
}

// bytes returns the size of the wanted columns of a row group.
func (s *source) bytes(g *pages.Group) (n int64) {
	for i := range s.file.Columns() {
		if s.wants(i) {
			n += min(max(0, g.Bytes(i)), maxRunBytes<<10) // it is but what the footer says
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
