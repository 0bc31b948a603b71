package main

import (
	"io"
	"strconv"
)

// A plan decides which records are duplicates, and chooses their originals.
type plan struct {
	seed, records uint64
	exact, near   float64 // shares of exact and near duplicates among the records

	at   uint64
	used map[uint64]bool // records that are duplicates or have a duplicate
}

// A duplicate is a record that copies an earlier record.
type duplicate struct {
	record, of uint64
	edited     bool // a near duplicate, not an exact one
}

// A batch is a range of consecutive records.
type batch struct {
	first, end uint64
	copies     []duplicate // duplicates among the records of the batch, in order
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

// copy decides whether a record is a duplicate, and chooses its original among the earlier
// records that are not duplicates and have no duplicate.
func (p *plan) copy(record uint64) (duplicate, bool) {
	r := newRandom(p.seed, record, usePlan)
	u := r.float()
	if record == 0 || u >= p.exact+p.near {
		return duplicate{}, false
	}
	c := duplicate{record: record, edited: u >= p.exact}
	if p.used == nil {
		p.used = map[uint64]bool{}
	}
	const tries = 64 // limited, because the first records may have no unused record before them
	for range tries {
		if c.of = uint64(r.below(int(record))); !p.used[c.of] {
			p.used[c.of], p.used[record] = true, true
			return c, true
		}
	}
	return duplicate{}, false
}

// A maker makes batches of records. Each goroutine has its own maker.
type maker struct {
	texts
	scripts []script // assigned to the records in turn; if empty, no record is respelled
	shingle int
	tokens  []token
	editor  editor
}

// made is the generated output for a batch.
type made struct {
	records      int
	lines, truth []byte
}

func (m *maker) batch(b batch) *made {
	n := int(b.end - b.first)
	out := &made{records: n, lines: make([]byte, 0, n*(int(m.mean)+int(m.mean)/3))}
	for n := b.first; n < b.end; n++ {
		if len(b.copies) > 0 && b.copies[0].record == n {
			m.copy(out, b.copies[0])
			b.copies = b.copies[1:]
			continue
		}
		m.tokens = m.appendTokens(m.tokens[:0], n)
		m.line(out, n, m.scriptOf(n), m.tokens)
	}
	return out
}

// copy appends a duplicate to out.lines, and a line about it to out.truth: the two records,
// their similarity, and the name of the edit.
func (m *maker) copy(out *made, c duplicate) {
	m.tokens = m.appendTokens(m.tokens[:0], c.of)
	tokens, name, j := m.tokens, "exact", 1.0
	if c.edited {
		m.editor.random = newRandom(m.seed, c.record, useEdit)
		m.editor.texts, m.editor.shingle = &m.texts, m.shingle
		tokens, name, j = m.editor.edit(m.tokens)
	}
	m.line(out, c.record, m.scriptOf(c.of), tokens)
	out.truth = append(strconv.AppendUint(out.truth, c.of, 10), '\t')
	out.truth = append(strconv.AppendUint(out.truth, c.record, 10), '\t')
	out.truth = append(strconv.AppendFloat(out.truth, j, 'f', 4, 64), '\t')
	out.truth = append(append(out.truth, name...), '\n')
}

// scriptOf returns the script of a record that is not a duplicate.
func (m *maker) scriptOf(n uint64) script {
	if len(m.scripts) == 0 {
		return script{}
	}
	return m.scripts[n%uint64(len(m.scripts))]
}

func (m *maker) line(out *made, n uint64, s script, tokens []token) {
	b := append(out.lines, `{"id": "`...)
	b = strconv.AppendUint(b, n, 10)
	b = append(b, `", "text": "`...)
	if s.letters == nil && !s.han {
		b = m.appendText(b, tokens)
	} else {
		b = s.appendText(b, &m.texts, tokens)
	}
	out.lines = append(b, "\"}\n"...)
}
