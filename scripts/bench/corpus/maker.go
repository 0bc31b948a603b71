package main

import "strconv"

// A maker makes batches of records. Each goroutine has its own.
type maker struct {
	texts
	scripts []script // of the records in turn; none: all are as the vocabulary is
	shingle int
	tokens  []token
	editor  editor
}

// made is what a batch became.
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

// copy writes a duplicate, and a line of the truth: the two records, their
// similarity, and what was done.
func (m *maker) copy(out *made, c copied) {
	m.tokens = m.appendTokens(m.tokens[:0], c.of)
	tokens, name, j := m.tokens, "exact", 1.0
	if c.kind == near {
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

// scriptOf returns the script of a record that is no copy.
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
