package passage

import (
	"bytes"

	"github.com/zeebo/xxh3"
)

// Add adds a member and returns the number of its context, by which it is
// asked for. Contexts are numbered from 0 as they come.
func (g *Group) Add(m Member) int {
	hash := xxh3.Hash(m.Text)
	c, ok := g.find(m.Text, hash)
	if !ok {
		c = len(g.contexts)
		g.byText.add(hash, uint32(c))
		g.contexts = append(g.contexts, context{text: m.Text, pos: m.Pos, hash: hash, first: len(g.ids), count: m.Count})
		g.texts += len(m.Text)
		g.enter(c, m.Twice)
	}
	g.AddEqual(c, m.Pos)
	return c
}

// Find returns the context that has a text, if there is one.
func (g *Group) Find(text []byte) (context int, ok bool) { return g.find(text, xxh3.Hash(text)) }

func (g *Group) find(text []byte, hash uint64) (int, bool) {
	c, ok := g.byText.find(hash, func(c uint32) bool {
		return g.contexts[c].hash == hash && bytes.Equal(g.contexts[c].text, text)
	})
	return int(c), ok
}

// AddEqual adds a member whose text is known to be that of a context.
func (g *Group) AddEqual(context int, pos uint64) {
	g.contexts[context].members++
	g.noteSecond(context, pos)
}

// enter gives the passages of a new context their ids. Those of the first one
// are all distinct, unless its hash stands twice, and wait until there is
// another to compare them with.
func (g *Group) enter(c int, twice bool) {
	if c == 0 && !twice {
		for t := range g.contexts[0].count {
			g.found(0, t, uint32(t))
		}
		return
	}
	if first := &g.contexts[0]; c > 0 && !first.hashed {
		first.hashed = true
		for t, h := range g.hash(first.text) {
			g.byHash.add(h, uint32(t))
		}
	}
	g.contexts[c].hashed = true
	g.search(c)
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

// noteSecond notes where passages stand for the second time. The third member
// of a context cannot be the second of any.
func (g *Group) noteSecond(c int, pos uint64) {
	if g.rule.Keep != KeepNone || g.contexts[c].members > 2 {
		return
	}
	for t, id := range g.idsOf(c) {
		if g.second[id] == 0 && g.place(id) != pos+uint64(t) {
			g.second[id] = pos + uint64(t)
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
