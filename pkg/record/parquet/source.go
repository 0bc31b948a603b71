package parquet

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"

	pq "github.com/parquet-go/parquet-go"

	"doppel/pkg/record"
	"doppel/pkg/record/fieldpath"
	"doppel/pkg/record/parquet/pages"
)

// runBytes is the approximate size of a run in bytes, either of its texts or of its whole rows.
// runRows is the maximum number of rows in a run.
const (
	runBytes = 2 << 20
	runRows  = 1 << 17
)

// A source divides a file into runs of rows.
type source struct {
	file   *pages.File
	opt    *record.Options
	parts  []record.Partition // fields of the directories of the file that the file lacks
	text   []column           // columns of the text; if empty, the text is the whole row
	id     *column            // column of the id; if nil, ids are ordinals
	group  int                // the row group of the next run
	row    int64              // first row of the next run, within its group
	before int64              // number of rows in earlier groups
	step   int64              // number of rows per run in this group; 0 before the first run of the group
	rows   int64              // number of rows in all groups

	leaves []int                         // indexes of the wanted columns, sorted
	sizeOf func(*pages.Group, int) int64 // returns the estimated size in bytes of a wanted column in a group
	last   map[int]*pages.TextPage       // for each leaf, the page of texts used last
	sizes  []int                         // for each row of a run, the total size in bytes of its texts that are in dictionaries
}

// open returns a source of the rows of f, which also have the given fields.
func open(f *os.File, parts []record.Partition, opt *record.Options) (record.Source, error) {
	file, err := pages.Open(f)
	if err != nil {
		return nil, err
	}
	s := &source{file: file, opt: opt, parts: lackedParts(file, parts), last: map[int]*pages.TextPage{}, sizeOf: (*pages.Group).Bytes}
	for _, g := range file.Groups {
		s.rows += g.Rows()
	}
	for _, field := range opt.Paths() {
		c, err := s.findColumn(field)
		if err != nil {
			return nil, err
		}
		c.missing = opt.Missing == record.MissingKeep || opt.Missing == record.MissingDrop
		c.value = len(s.text) == 0 && cmp.Or(opt.Within, opt.Across) != ""
		if s.text = append(s.text, c); c.part != nil {
			continue
		}
		s.leaves = append(s.leaves, c.index)
		if c.lists != nil {
			s.sizeOf = (*pages.Group).Unpacked
		}
	}
	if opt.ID != "" {
		c, err := s.findColumn(opt.ID)
		if err != nil {
			return nil, err
		}
		if s.id = &c; c.part == nil {
			s.leaves = append(s.leaves, c.index)
		}
	}
	if s.wholeRows() {
		s.leaves, s.sizeOf = nil, (*pages.Group).Unpacked
		for i := range file.Columns() {
			s.leaves = append(s.leaves, i)
		}
	}
	slices.Sort(s.leaves)
	s.leaves = slices.Compact(s.leaves)
	return s, nil
}

// Columns returns the names of the columns of the file.
func (s *source) Columns() (names []string) {
	for _, c := range s.file.Root().Columns() {
		names = append(names, c.Name())
	}
	return names
}

// findColumn returns the column of a field of the file or of its directories.
func (s *source) findColumn(field string) (column, error) {
	for i := range s.parts {
		if p := &s.parts[i]; fieldpath.Escape(p.Name) == field {
			return column{field: field, index: -1, part: p}, nil
		}
	}
	return findColumn(s.file, field, s.opt.FlagOf(field))
}

// Note returns a message if a text of the records is not what it seems: the base64 form of bytes, in
// which only equal values are similar. Old writers store texts without a type.
func (s *source) Note() string {
	for _, c := range s.text {
		if c.part == nil && c.kind == nil && s.file.Kind(c.index) == pq.ByteArray && slices.Contains(s.opt.Fields, c.field) {
			return fmt.Sprintf("the column %q has bytes without a text type, which are compared as base64, so only equal values are similar", c.field)
		}
	}
	return ""
}

// lackedParts returns the fields of directories that are not columns of the file.
func lackedParts(f *pages.File, parts []record.Partition) (lacked []record.Partition) {
	for _, p := range parts {
		if f.Root().Column(p.Name) == nil {
			lacked = append(lacked, p)
		}
	}
	return lacked
}

// Share returns the share of the file's rows that Next has returned, from 0 to 1.
func (s *source) Share() float64 { return float64(s.before+s.row) / float64(max(1, s.rows)) }

func (s *source) Close() error { return nil } // the Reader keeps the file open for Format.Copy

// Next fills b with the next run. The rows are read when the batch is decoded. Only the dictionary
// indexes are read here, because the number of rows in the run depends on the lengths of the texts
// to which the indexes refer.
func (s *source) Next(b *record.Batch) error {
	groups := s.file.Groups
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
	r := &run{source: s, group: g, first: s.row, n: s.pageEnd(g, min(s.step, g.Rows()-s.row))}
	s.limitTexts(r)
	b.Reset(int(r.n), r.decode)
	for i := range b.Records {
		b.Records[i].Line = s.before + s.row + int64(i) + 1
	}
	b.SetSize(s.columnBytes(g, (*pages.Group).Bytes) * r.n / g.Rows())
	b.AfterUse(func() {
		for _, p := range r.pages {
			p.page.Release()
		}
		r.pages = nil
	})
	s.row += r.n
	return nil
}

// rowsPerRun returns how many rows of a group make a run of about runBytes bytes. To find the first
// row of a later run, the reader needs the positions of pages, or else must decode all earlier
// rows. A group without page positions is therefore divided into few runs.
func (s *source) rowsPerRun(g *pages.Group) int64 {
	runs := s.columnBytes(g, s.sizeOf)/runBytes + 1
	seekable := true
	for _, i := range s.leaves {
		known, err := g.Look(i) // if err is not nil, reading the column reports it
		seekable = seekable && known && err == nil
	}
	if !seekable {
		runs = min(runs, 1+runs/8)
	}
	return min(runRows, max(1, (g.Rows()+runs-1)/runs))
}

// pageEnd returns a number of rows near n such that the run ends at the end of a page of the
// largest column, or n if there is no such page. Two runs that share a page both decode it, unless
// it is a page of texts.
func (s *source) pageEnd(g *pages.Group, n int64) int64 {
	largest := -1
	for _, i := range s.leaves {
		if largest < 0 || g.Bytes(i) > g.Bytes(largest) {
			largest = i
		}
	}
	if largest < 0 || s.row+n >= g.Rows() {
		return n
	}
	switch first, end := g.PageAt(largest, s.row+n); {
	case first >= s.row+n/2 && first > s.row:
		return first - s.row
	case end > s.row && end <= s.row+2*n:
		return end - s.row
	}
	return n
}

// limitTexts opens the pages that hold the texts of a run, and shortens the run so that the texts
// from dictionaries do not exceed runBytes in total. The sizes of other values are known from the
// footer.
func (s *source) limitTexts(r *run) {
	s.sizes = append(s.sizes[:0], make([]int, r.n)...)
	packed := false
	for _, i := range s.leaves {
		if !s.file.Texts(i) {
			continue
		}
		for row := r.first; row < r.first+r.n; {
			p := s.last[i]
			if !p.Has(r.group, row) {
				p.Release()
				if p, r.err = r.group.TextPage(i, row); r.err != nil {
					delete(s.last, i)
					return
				}
				s.last[i] = p
			}
			r.pages = append(r.pages, leafPage{i, p.Hold()})
			if row = p.End; !p.Packed {
				continue
			}
			packed = true
			// Ignore the error, because decoding the run reports it.
			p.Each(r.first, r.first+r.n, func(row int64, text []byte) bool {
				s.sizes[row-r.first] += len(text)
				return true
			})
		}
	}
	if !packed {
		return
	}
	for i, size := 0, 0; i < len(s.sizes); i++ {
		if size += s.sizes[i]; size > runBytes && i > 0 {
			r.n = int64(i)
			break
		}
	}
}

// columnBytes returns the total size in bytes of the wanted columns of a row group. It calls of(g,
// i) to get the size of column i.
func (s *source) columnBytes(g *pages.Group, of func(*pages.Group, int) int64) (n int64) {
	for _, i := range s.leaves {
		n += min(max(0, of(g, i)), maxRunBytes<<10) // the size may come from the footer, so it is not trusted
	}
	return n
}

// wholeRows reports whether whole rows are read.
func (s *source) wholeRows() bool { return (len(s.text) == 0 || s.opt.Objects) && !s.opt.NoText }
