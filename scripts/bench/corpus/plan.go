package main

import "io"

// A plan says which records are duplicates, and of what.
type plan struct {
	seed, records uint64
	exact, near   float64 // shares of the records

	at   uint64
	used map[uint64]bool // records that are a duplicate or have one
}

type kind byte

const (
	exact kind = iota
	near
)

// A duplicate is a copy of an earlier one.
type duplicate struct {
	record, of uint64
	kind       kind
}

// A batch is a run of records.
type batch struct {
	first, end uint64
	copies     []duplicate // by record
}

const batchRecords = 256

// next returns the next batch, or io.EOF.
func (p *plan) next() (batch, error) {
	if p.at >= p.records {
		return batch{}, io.EOF
	}
	b := batch{first: p.at, end: min(p.at+batchRecords, p.records)}
	for ; p.at < b.end; p.at++ {
		if c, ok := p.copy(p.at); ok {
			b.copies = append(b.copies, c)
		}
	}
	return b, nil
}

// copy decides whether a record is a duplicate, and of which earlier record
// that is none and has none.
func (p *plan) copy(record uint64) (duplicate, bool) {
	r := newRandom(p.seed, record, usePlan)
	u := r.float()
	if record == 0 || u >= p.exact+p.near {
		return duplicate{}, false
	}
	c := duplicate{record: record, kind: near}
	if u < p.exact {
		c.kind = exact
	}
	if p.used == nil {
		p.used = map[uint64]bool{}
	}
	const tries = 64 // near the beginning there may be none left
	for range tries {
		if c.of = uint64(r.below(int(record))); !p.used[c.of] {
			p.used[c.of], p.used[record] = true, true
			return c, true
		}
	}
	return duplicate{}, false
}
