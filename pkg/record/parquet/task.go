package parquet

import (
	"fmt"
	"io"
	"os"
)

// A task is a page that is written as it is, or pages of which some rows are.
type task struct {
	chunk *chunk
	pages []page // the dictionary first, if they need it
	first int64  // ordinal of their first row
	rows  int64
	kept  int64
	made  []byte // what pages that lose rows became
	err   error
}

// mixed reports whether rows are lost.
func (t *task) mixed() bool { return t.kept < t.rows }

// tasks walks over the pages of files.
type tasks struct {
	files  []*os.File
	keep   func(int64) bool
	before int64 // rows of the groups before
	chunks []*chunk
}

// next returns the next task, or io.EOF.
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
			t.chunks[0], t.chunks = nil, t.chunks[1:] // for it holds a dictionary
			continue
		}
		if err != nil {
			return nil, c.fail(err)
		}
		return k, nil
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
