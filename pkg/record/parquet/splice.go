package parquet

import (
	"fmt"
	"io"
	"os"
	"slices"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"doppel/pkg/par"
	"doppel/pkg/record"
)

// Copying by pages. What is dropped is mostly little, so that most pages keep
// all their rows: those are copied as they are, dictionary pages too, and those
// that keep none are left out. Only a page that keeps some of its rows is
// decoded and encoded again, without a dictionary, by several goroutines at
// once; then a footer is written that says where everything now is. This works
// where a page holds as many values as rows, that is, without lists and maps.

// copyRows writes the rows of the files for whose ordinal keep returns true.
func copyRows(w io.Writer, files []*os.File, opt *record.Options, keep func(int64) bool) error {
	if len(files) == 0 {
		return nil
	}
	first, flat, err := survey(files)
	if err != nil {
		return err
	}
	if !flat {
		return copyByRow(w, files, keep)
	}
	out, err := newOutput(w, first)
	if err != nil {
		return err
	}
	t := &tasks{files: files, keep: keep}
	worker := func() func(*task) *task { return (&recoder{keep: keep}).run }
	if err := par.Ordered(opt.Jobs, t.next, worker, out.add); err != nil {
		return err
	}
	return out.close()
}

// survey returns the first file, and whether the pages of all can be copied:
// no column is repeated, and each has one codec throughout, since that is how
// columns are read. The schemas must be the same.
func survey(files []*os.File) (first *pq.File, flat bool, err error) {
	flat = true
	var codecs []format.CompressionCodec
	for _, f := range files {
		file, err := openFile(f)
		if err != nil {
			return nil, false, fmt.Errorf("%s: %w", f.Name(), err)
		}
		if first == nil {
			first = file
		}
		if got, want := file.Schema().String(), first.Schema().String(); got != want {
			return nil, false, fmt.Errorf("%s: another schema than that of %s:\n%s\n%s", f.Name(), files[0].Name(), got, want)
		}
		for _, g := range file.Metadata().RowGroups {
			these := codecsOf(&g)
			if codecs == nil {
				codecs = these
			}
			flat = flat && slices.Equal(these, codecs)
		}
		for _, l := range leavesOf(file) {
			flat = flat && l.rep == 0
		}
	}
	return first, flat, nil
}

func codecsOf(g *format.RowGroup) (codecs []format.CompressionCodec) {
	for i := range g.Columns {
		codecs = append(codecs, g.Columns[i].MetaData.Codec)
	}
	return codecs
}

// A task is a page that is written, whole or in part.
type task struct {
	chunk *chunk
	page  page
	first int64  // ordinal of its first row
	mixed bool   // it loses some of its rows
	dict  []byte // the dictionary page, if a mixed page needs it
	pages []byte // those that a mixed page became
	err   error
}

// tasks walks over the pages of files.
type tasks struct {
	files  []*os.File
	keep   func(int64) bool
	before int64 // rows of the groups before
	chunks []*chunk
}

// next returns the next page that keeps a row, or io.EOF.
func (t *tasks) next() (*task, error) {
	for {
		for len(t.chunks) == 0 {
			if err := t.open(); err != nil {
				return nil, err
			}
		}
		c := t.chunks[0]
		k, err := c.next(t.keep)
		if err == io.EOF {
			t.chunks = t.chunks[1:]
			continue
		}
		if err != nil {
			return nil, c.fail(err)
		}
		if k != nil {
			return k, nil
		}
	}
}

// open takes up the next file.
func (t *tasks) open() error {
	if len(t.files) == 0 {
		return io.EOF
	}
	f := t.files[0]
	t.files = t.files[1:]
	file, err := openFile(f)
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name(), err)
	}
	groups, leaves := file.Metadata().RowGroups, leavesOf(file)
	for i := range groups {
		g := &group{meta: &groups[i], first: t.before, rows: groups[i].NumRows}
		if g.kept, err = countKept(t.keep, g.first, g.rows); err != nil {
			return fmt.Errorf("%s: %w", f.Name(), err)
		}
		if t.before += g.rows; g.kept == 0 {
			continue
		}
		chunks, err := g.chunks(f, file.Size(), leaves)
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name(), err)
		}
		t.chunks = append(t.chunks, chunks...)
	}
	return nil
}
