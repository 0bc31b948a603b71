package pages

import "slices"

// A plan says what becomes of the pages of a chunk.
type plan struct {
	chunk   *chunk
	keep    func(int64) bool
	first   int64 // ordinal of the first row of the group
	inGroup int64 // rows that the group keeps
	anew    bool  // all pages get another codec
	cuts    *Cuts // nil: the column has none
	cut     bool  // some were taken
}

// tasks returns what there is to do. The pages up to the last that needs the
// dictionary are one task if any of them loses a row, or a part of one.
func (p *plan) tasks() (queue []*Task, err error) {
	c := p.chunk
	if err := c.look(); err != nil {
		return nil, err
	}
	all, err := p.pages()
	if err != nil {
		return nil, err
	}
	n, loses := 0, false // how many pages need the dictionary, and whether one loses rows
	for i, t := range all {
		if t.pages[0].index() {
			n = i + 1
		}
	}
	for _, t := range all[:n] {
		loses = loses || t.mixed()
	}
	switch {
	case loses:
		queue = append(queue, joined(c.dict, all[:n]))
	case n > 0:
		queue = append(queue, &Task{plan: p, pages: []page{*c.dict}})
		fallthrough
	default:
		queue = append(queue, all[:n]...)
	}
	queue = append(queue, all[n:]...)
	return slices.DeleteFunc(queue, func(t *Task) bool { return t.rows > 0 && t.kept == 0 }), nil
}

// pages returns a task for each data page.
func (p *plan) pages() (all []*Task, err error) {
	for i, pg := range p.chunk.pages {
		t := &Task{plan: p, pages: []page{pg}, first: p.first + p.chunk.first[i], rows: pg.values}
		t.kept = countKept(p.keep, t.first, t.rows)
		if t.cuts, err = p.cuts.below(t.first + t.rows); err != nil {
			return nil, err
		}
		p.cut = p.cut || len(t.cuts) > 0
		all = append(all, t)
	}
	return all, nil
}

// joined returns the task of pages of a chunk that need its dictionary.
func joined(dict *page, all []*Task) *Task {
	t := &Task{plan: all[0].plan, pages: []page{*dict}, first: all[0].first}
	for _, one := range all {
		t.pages = append(t.pages, one.pages...)
		t.rows += one.rows
		t.kept += one.kept
		t.cuts = append(t.cuts, one.cuts...)
	}
	return t
}
