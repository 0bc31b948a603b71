package passage

import (
	"bytes"

	"github.com/zeebo/xxh3"
)

// Add adds a member and returns the number of the member's context, which AddEqual and
// AppendMatches take as an argument. A context is a distinct pair of text and value. Contexts are
// numbered from 0 in the order of their first members.
func (g *Group) Add(m Member) int {
	hash := m.hash()
	c, ok := g.find(m, hash)
	if ok {
		g.AddEqual(c, m.Pos)
		return c
	}
	c = len(g.contexts)
	g.byText.add(hash, uint32(c))
	g.contexts = append(g.contexts, context{text: m.Text, value: m.Value, pos: m.Pos, hash: hash, first: len(g.ids), count: m.Count})
	g.texts += len(m.Text)
	// Unless its run has Twice set, the first context has only distinct passages, and Add hashes
	// them only when there is a second context to compare them with.
	first := &g.contexts[0]
	if c == 0 && !m.Twice {
		for t := range first.count {
			g.found(0, t, uint32(t))
		}
	} else {
		if c > 0 && !first.hashed {
			first.hashed = true
			for t, h := range g.hash(first) {
				g.byHash.add(h, uint32(t))
			}
		}
		g.contexts[c].hashed = true
		g.search(c)
	}
	g.AddEqual(c, m.Pos)
	return c
}

// Find returns the number of the context that has m's text and value; ok is false if there is no
// such context.
func (g *Group) Find(m Member) (context int, ok bool) { return g.find(m, m.hash()) }

func (g *Group) find(m Member, hash uint64) (int, bool) {
	c, ok := g.byText.find(hash, func(c uint32) bool {
		k := &g.contexts[c]
		return k.hash == hash && k.value == m.Value && bytes.Equal(k.text, m.Text)
	})
	return int(c), ok
}

func (m *Member) hash() uint64 { return salted(xxh3.Hash(m.Text), m.Value) }

// salted mixes a value into a hash, so that equal texts with different values have different
// hashes.
func salted(hash uint64, value uint32) uint64 { return hash ^ uint64(value)*0x9e3779b97f4a7c15 }

// AddEqual adds a member that has the given position, and the text and value of the given context.
// It does not compare the texts: the caller must know that they are equal.
func (g *Group) AddEqual(context int, pos uint64) {
	k := &g.contexts[context]
	if k.members++; g.rule.Keep != KeepNone || k.members > 2 {
		return // only KeepNone needs second occurrences; the second member supplied them
	}
	for t, id := range g.idsOf(context) {
		if g.second[id] == 0 && g.place(id) != pos+uint64(t) {
			g.second[id] = pos + uint64(t)
		}
	}
}

// found sets the id of the t-th passage of context c. If id is the next unused id, the passage is
// new, and found adds it to g.passages.
func (g *Group) found(c, t int, id uint32) {
	g.ids = append(g.ids, id)
	if int(id) == len(g.passages) {
		g.passages = append(g.passages, origin{context: uint32(c), at: uint32(t)})
		if g.rule.Keep == KeepNone {
			g.second = append(g.second, 0)
		}
	}
}

func (g *Group) idsOf(c int) []uint32 {
	k := &g.contexts[c]
	return g.ids[k.first : k.first+k.count]
}

// place returns the position of the first occurrence of the passage with this id.
func (g *Group) place(id uint32) uint64 {
	p := &g.passages[id]
	return g.contexts[p.context].pos + uint64(p.at)
}
