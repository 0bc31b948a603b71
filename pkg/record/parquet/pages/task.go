package pages

import (
	"fmt"
	"io"

	"doppel/pkg/record"
)

// A Task is a page that is written as it is, or pages of which some rows are.
type Task struct {
	*plan
	pages []page // the dictionary first, if they need it
	first int64  // ordinal of their first row
	rows  int64
	kept  int64
	cuts  []record.Cut // of their rows
	made  []byte       // what pages that are not copied became
	fresh []page       // those pages, by where they are in made
	err   error
}

// mixed reports whether rows, or parts of values, are lost, or the pages have to be made anew.
func (t *Task) mixed() bool { return t.kept < t.rows || t.anew || len(t.cuts) > 0 }

func (t *Task) fail(err error) error { return failIn(t.chunk.group.file, t.chunk.fail(err)) }

// failIn says in which file it is.
func failIn(f *File, err error) error { return fmt.Errorf("%s: reading Parquet: %w", f.Name(), err) }

// Tasks is what there is to do to copy the rows of flat files for whose ordinal
// keep returns true: page by page, in the order of the copy.
type Tasks struct {
	files  []*File
	groups []*Group // of the file that is copied
	keep   func(int64) bool
	codec  *Codec // nil: as the pages came
	cuts   *Cuts
	before int64 // rows of the groups before
	plans  []*plan
	queue  []*Task // of the chunk that is copied
}

// NewTasks returns the tasks of copying files, with pages of a codec, or as they
// came, and without cuts.
func NewTasks(files []*File, codec *Codec, keep func(ordinal int64) bool, cuts *Cuts) *Tasks {
	return &Tasks{files: files, keep: keep, codec: codec, cuts: cuts}
}

// Next returns the next task, or io.EOF. It looks at the headers of a chunk when
// its turn comes.
func (t *Tasks) Next() (*Task, error) {
	for len(t.queue) == 0 {
		if len(t.plans) == 0 {
			if err := t.enter(); err != nil {
				return nil, err
			}
			continue
		}
		p := t.plans[0]
		t.plans = t.plans[1:]
		var err error
		if t.queue, err = p.tasks(); err != nil {
			return nil, failIn(p.chunk.group.file, err)
		}
	}
	k := t.queue[0]
	t.queue[0], t.queue = nil, t.queue[1:] // for it comes to hold what was made
	return k, nil
}

// enter takes up the next row group that keeps any row.
func (t *Tasks) enter() error {
	for len(t.groups) == 0 {
		if len(t.files) == 0 {
			return io.EOF
		}
		t.groups, t.files = t.files[0].groups, t.files[1:]
	}
	g := t.groups[0]
	t.groups = t.groups[1:]
	first, kept := t.before, countKept(t.keep, t.before, g.Rows())
	t.before += g.Rows()
	if kept == 0 {
		return nil
	}
	for _, c := range g.chunks {
		p := &plan{chunk: c, keep: t.keep, anew: t.codec.differs(c.meta.Codec), first: first, inGroup: kept}
		if t.cuts.of(c.index) {
			p.cuts = t.cuts
		}
		t.plans = append(t.plans, p)
	}
	return nil
}

// countKept returns how many of n rows are kept.
func countKept(keep func(int64) bool, first, n int64) (kept int64) {
	for i := range n {
		if keep(first + i) {
			kept++
		}
	}
	return kept
}
