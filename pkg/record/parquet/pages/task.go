package pages

import (
	"fmt"
	"io"
	"slices"

	"doppel/pkg/record/write"
)

// A Task is a page to copy unchanged, or pages whose kept rows are copied to new pages.
type Task struct {
	*plan
	pages []page // the pages to copy; the dictionary comes first if the data pages need it
	first int64  // ordinal of the first row in the data pages
	rows  int64
	out   written
	cuts  []write.Cut // parts to cut from the texts in the data pages
	made  []byte      // the new pages; nil if the task copies a page unchanged
	fresh []page      // headers of the new pages; their positions are offsets in the field made
	err   error
}

// needsRewrite reports whether the pages cannot be copied unchanged, because rows are left out or
// repeated, texts are cut, or the pages must be compressed again.
func (t *Task) needsRewrite() bool {
	return t.out.lost || t.out.repeated || t.recompress || len(t.cuts) > 0
}

func (t *Task) fail(err error) error { return failIn(t.chunk.group.file, t.chunk.fail(err)) }

// failIn adds the name of the file to an error.
func failIn(f *File, err error) error { return fmt.Errorf("%s: reading Parquet: %w", f.Name(), err) }

// Tasks iterates over the tasks that copy the rows of flat files (see [File.Flat]) one page at a
// time, in the order in which the rows are written. A row is copied if Keep returns true for its
// ordinal.
type Tasks struct {
	Files []*File
	Keep  func(ordinal int64) bool
	Codec *Codec // if nil, pages keep their codec
	Cuts  *Cuts
	Texts [][]Text     // for each file, values of further columns; nil if there are none
	Sized *write.Sized // if nil, each row is written once, without a size field

	groups []*Group // remaining groups of the current file
	texts  []Text   // values of further columns of the current file
	before int64    // number of rows in earlier groups
	plans  []*plan
	queue  []*Task // remaining tasks of the current chunk
}

// Next returns the next task, or io.EOF after the last one. It reads the headers of a chunk when it
// reaches the chunk.
func (t *Tasks) Next() (*Task, error) {
	for len(t.queue) == 0 {
		if len(t.plans) > 0 {
			p := t.plans[0]
			t.plans = t.plans[1:]
			var err error
			if t.queue, err = p.tasks(); err != nil {
				return nil, failIn(p.chunk.group.file, err)
			}
			continue
		}
		if len(t.groups) == 0 {
			if len(t.Files) == 0 {
				return nil, io.EOF
			}
			t.groups, t.Files = t.Files[0].Groups, t.Files[1:]
			if t.Texts != nil {
				t.texts, t.Texts = t.Texts[0], t.Texts[1:]
			}
			continue
		}
		g := t.groups[0]
		t.groups = t.groups[1:]
		first, inGroup := t.before, countWritten(t.Keep, t.Sized, t.before, g.Rows())
		t.before += g.Rows()
		if inGroup.rows == 0 {
			continue
		}
		for _, c := range g.chunks {
			if t.Sized.Adds() && c.leaf.inField(t.Sized.Field) {
				continue // the column of sizes replaces this column
			}
			p := &plan{chunk: c, keep: t.Keep, sized: t.Sized, recompress: t.Codec.differs(c.meta.Codec), first: first, inGroup: inGroup}
			if t.Cuts != nil && t.Cuts.Leaf == c.index {
				p.cuts = t.Cuts
			}
			t.plans = append(t.plans, p)
		}
		for i := range t.texts {
			t.plans = append(t.plans, &plan{chunk: textChunk(g, t.texts[i].Name), text: &t.texts[i], keep: t.Keep, sized: t.Sized, recompress: true, added: true, first: first, inGroup: inGroup})
		}
		if t.Sized.Adds() {
			t.plans = append(t.plans, &plan{chunk: sizeChunk(g, t.Sized.Field), keep: t.Keep, sized: t.Sized, recompress: true, added: true, first: first, inGroup: inGroup})
		}
	}
	k := t.queue[0]
	t.queue[0], t.queue = nil, t.queue[1:] // drop the reference, because the task will hold the memory of its new pages
	return k, nil
}

// written summarizes which rows of a range are written.
type written struct {
	rows     int64 // number of written rows, counting repetitions
	lost     bool  // some rows are not written
	repeated bool  // some rows are written more than once
}

// countWritten summarizes which of n rows are written. first is the ordinal of the first of these
// rows.
func countWritten(keep func(int64) bool, sized *write.Sized, first, n int64) (w written) {
	for i := range n {
		if !keep(first + i) {
			w.lost = true
			continue
		}
		times := sized.Repeated(first + i)
		w.rows += times
		w.repeated = w.repeated || times > 1
	}
	return w
}

// A plan says how the pages of a chunk are copied.
type plan struct {
	chunk      *chunk
	keep       func(int64) bool
	sized      *write.Sized
	first      int64 // ordinal of the first row of the group
	inGroup    written
	recompress bool  // all pages are compressed again
	added      bool  // the column is new, and is not read
	text       *Text // the value of all rows of a new column; nil for the column of sizes
	cuts       *Cuts // nil if no texts of the column are cut
	cut        bool  // some texts of the chunk are cut
}

// tasks returns the tasks that copy the chunk. If any page up to the last one that needs the
// dictionary cannot be copied unchanged, all pages up to that last one form a single task.
func (p *plan) tasks() (queue []*Task, err error) {
	if p.added {
		return p.sizeTasks(), nil
	}
	c := p.chunk
	if err := c.walkOnce(); err != nil {
		return nil, err
	}
	var all []*Task // one task for each data page
	n := 0          // number of pages up to the last one that needs the dictionary
	for i, pg := range c.pages {
		t := &Task{plan: p, pages: []page{pg}, first: p.first + c.first[i], rows: pg.values}
		t.out = countWritten(p.keep, p.sized, t.first, t.rows)
		if t.cuts, err = p.cuts.below(t.first + t.rows); err != nil {
			return nil, err
		}
		p.cut = p.cut || len(t.cuts) > 0
		if all = append(all, t); pg.isIndexed() {
			n = i + 1
		}
	}
	switch {
	case slices.ContainsFunc(all[:n], (*Task).needsRewrite):
		joined := &Task{plan: p, pages: []page{*c.dict}, first: all[0].first}
		for _, t := range all[:n] {
			joined.pages = append(joined.pages, t.pages...)
			joined.rows += t.rows
			joined.out = written{joined.out.rows + t.out.rows, joined.out.lost || t.out.lost, joined.out.repeated || t.out.repeated}
			joined.cuts = append(joined.cuts, t.cuts...)
		}
		queue = append(queue, joined)
	case n > 0:
		queue = append(queue, &Task{plan: p, pages: []page{*c.dict}})
		fallthrough
	default:
		queue = append(queue, all[:n]...)
	}
	queue = append(queue, all[n:]...)
	return slices.DeleteFunc(queue, func(t *Task) bool { return t.rows > 0 && t.out.rows == 0 }), nil
}
