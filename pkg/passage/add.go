package passage

import (
	"bytes"

	"github.com/zeebo/xxh3"
)

// Add adds a member and returns the number of its context, by which it is
// asked for. Contexts are numbered from 0 as they come.
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
	// The passages of the first context are all distinct, unless its hash stands twice,
	// and wait until there is another to compare them with.
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

// Find returns the context with the text and the value of a member, if there is one.
func (g *Group) Find(m Member) (context int, ok bool) { return g.find(m, m.hash()) }

func (g *Group) find(m Member, hash uint64) (int, bool) {
	c, ok := g.byText.find(hash, func(c uint32) bool {
		k := &g.contexts[c]
		return k.hash == hash && k.value == m.Value && bytes.Equal(k.text, m.Text)
	})
	return int(c), ok
}

func (m *Member) hash() uint64 { return salted(xxh3.Hash(m.Text), m.Value) }

// salted returns a hash that equal texts with different values do not share.
func salted(hash uint64, value uint32) uint64 { return hash ^ uint64(value)*0x9e3779b97f4a7c15 }

// AddEqual adds a member whose text is known to be that of a context.
func (g *Group) AddEqual(context int, pos uint64) {
	k := &g.contexts[context]
	if k.members++; g.rule.Keep != KeepNone || k.members > 2 {
		return // the third member cannot be the second to have any passage
	}
	for t, id := range g.idsOf(context) {
		if g.second[id] == 0 && g.place(id) != pos+uint64(t) {
			g.second[id] = pos + uint64(t)
		}
	}
}

// found notes that the t-th passage of a context has an id, a new one if it is
// the next.
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

// place is where a passage stood first.
func (g *Group) place(id uint32) uint64 {
	p := &g.passages[id]
	return g.contexts[p.context].pos + uint64(p.at)
}
