package passage

// settle counts the copies of each passage.
func (g *Group) settle() {
	g.settled = true
	for c := range g.contexts {
		for _, id := range g.idsOf(c) {
			g.passages[id].copies += uint32(g.contexts[c].members)
		}
	}
}

// AppendMatches appends the matches of a member, which was added when all
// were, and has the given context, to dst, in ascending order. Members are
// asked for in the order in which they were added, each once.
//
// Under KeepFirst the evidence is where each passage stood first; under
// KeepNone also, and for the first itself where it stands next. So what
// matches say of each passage depends on the corpus alone.
func (g *Group) AppendMatches(dst []Match, context int, pos uint64) []Match {
	if !g.settled {
		g.settle()
	}
	open := false
	for t, id := range g.idsOf(context) {
		p := &g.passages[id]
		p.seen++
		if !g.repeated(p) {
			open = false
			continue
		}
		at, from := pos+uint64(t), g.evidence(id, p, pos+uint64(t))
		if open {
			if m := &dst[len(dst)-1]; m.From+uint64(m.Count) == from {
				m.Count++
				m.Copies = min(m.Copies, int(p.copies))
				continue
			}
		}
		open = true
		dst = append(dst, Match{at, from, 1, int(p.copies)})
	}
	return dst
}

func (g *Group) repeated(p *distinct) bool {
	if g.rule.Keep == KeepNone {
		return int(p.copies) > g.rule.Copies
	}
	return int(p.seen) > g.rule.Copies
}

func (g *Group) evidence(id uint32, p *distinct, pos uint64) uint64 {
	from := g.contexts[p.context].pos + uint64(p.at)
	if from == pos {
		return g.second[id]
	}
	return from
}
