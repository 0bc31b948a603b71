package passage

import (
	"bytes"

	"github.com/cespare/xxhash/v2"
)

// hash returns the hashes of a context's passages. They are valid until the next call.
func (g *Group) hash(c *context) []uint64 {
	if g.unit == Bytes {
		g.hashes = g.hasher.AppendBytes(g.hashes[:0], c.text)
	} else {
		g.values = g.values[:0]
		for text := c.text; len(text) > 0; {
			n := bytes.IndexByte(text, ' ') + 1
			g.values = append(g.values, xxhash.Sum64(text[:n-1]))
			text = text[n:]
		}
		g.hashes = g.hasher.AppendValues(g.hashes[:0], g.values)
	}
	if c.value != 0 {
		for i := range g.hashes {
			g.hashes[i] = salted(g.hashes[i], c.value)
		}
	}
	return g.hashes
}

// search looks up each passage of context c in the group, and adds the passages that are new.
func (g *Group) search(c int) {
	text, value := g.contexts[c].text, g.contexts[c].value
	var last origin // known passage that equals passage t-1; not valid if follows is false
	follows := false
	for t, h := range g.hash(&g.contexts[c]) {
		if follows {
			last.at++
			follows = g.extends(last, text, t)
		}
		if !follows {
			want := g.passage(c, t)
			id, ok := g.byHash.find(h, func(id uint32) bool {
				p := &g.passages[id]
				return g.contexts[p.context].value == value && bytes.Equal(g.passage(int(p.context), int(p.at)), want)
			})
			if !ok {
				id = uint32(len(g.passages))
				g.byHash.add(h, id)
				g.found(c, t, id)
				continue
			}
			last, follows = g.passages[id], true
		}
		g.found(c, t, g.ids[g.contexts[last.context].first+int(last.at)])
	}
}

// extends reports whether the passage p exists and equals the t-th passage of a text. The caller
// must know that the preceding passages, one unit earlier in each text, are equal.
func (g *Group) extends(p origin, text []byte, t int) bool {
	k := &g.contexts[p.context]
	if int(p.at) >= k.count || k.first+int(p.at) >= len(g.ids) {
		return false
	}
	if g.unit == Bytes {
		return k.text[int(p.at)+g.length-1] == text[t+g.length-1]
	}
	return bytes.Equal(g.words(k.text, int(p.at)), g.words(text, t))
}

// passage returns the text of the t-th passage of a context.
func (g *Group) passage(c, t int) []byte {
	text := g.contexts[c].text
	if g.unit == Bytes {
		return text[t : t+g.length]
	}
	return g.words(text, t)
}

// words returns g.length words of a text, from the t-th word on, with the space after each word.
func (g *Group) words(text []byte, t int) []byte {
	text = text[wordsLen(text, t):]
	return text[:wordsLen(text, g.length)]
}

// wordsLen returns the length in bytes of the first n words of a text, including the space after
// each word.
func wordsLen(text []byte, n int) (at int) {
	for ; n > 0; n-- {
		at += bytes.IndexByte(text[at:], ' ') + 1
	}
	return at
}
