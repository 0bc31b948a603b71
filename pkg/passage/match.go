package passage

// AppendMatches appends the matches of a member, which was added when all
// were, and has the given context, to dst, in ascending order. Members are
// asked for in the order in which they were added, each once.
//
// Under KeepFirst the evidence is where each passage stood first; under
// KeepNone also, and for the first itself where it stands next. So what
// matches say of each passage depends on the corpus alone.
func (g *Group) AppendMatches(dst []Match, context int, pos uint64) []Match {
	if !g.settled {
		g.settled = true
		for c := range g.contexts {
			for _, id := range g.idsOf(c) {
				g.passages[id].copies += uint32(g.contexts[c].members)
			}
		}
	}
	k := &g.contexts[context]
	if k.asked++; k.asked <= g.rule.Copies {
		return g.compute(dst, context, pos)
	}
	// All passages of this member are repeated, and so are those of the next ones: only
	// their position is another.
	if k.later[1] == 0 {
		k.later[0] = len(g.later)
		g.later = g.compute(g.later, context, pos)
		k.later[1] = len(g.later)
	}
	first := g.later[k.later[0]].Pos
	for _, m := range g.later[k.later[0]:k.later[1]] {
		m.Pos += pos - first
		dst = append(dst, m)
	}
	return dst
}

// compute looks at each passage.
func (g *Group) compute(dst []Match, context int, pos uint64) []Match {
	var open Match
	own := len(dst)
	add := func() {
		if open.Count > 0 && (len(dst) == own || !dst[len(dst)-1].Fold(open)) {
			dst = append(dst, open)
		}
	}
	for t, id := range g.idsOf(context) {
		p := &g.passages[id]
		p.seen++
		if !g.repeated(p) {
			continue
		}
		from := g.place(id)
		if from == pos+uint64(t) {
			from = g.second[id]
		}
		next := Match{Pos: pos + uint64(t), From: from, Count: 1, Copies: int(p.copies)}
		if !open.Extend(next) {
			add()
			open = next
		}
	}
	add()
	return dst
}

func (g *Group) repeated(p *origin) bool {
	if g.rule.Keep == KeepNone {
		return int(p.copies) > g.rule.Copies
	}
	return int(p.seen) > g.rule.Copies
}

// Extend adds a match that follows m, as its evidence does, if neither has a period.
func (m *Match) Extend(next Match) bool {
	n := uint64(m.Count)
	if n == 0 || m.Pos+n != next.Pos || m.From+n != next.From || m.Period|next.Period != 0 {
		return false
	}
	m.Count += next.Count
	m.Copies = min(m.Copies, next.Copies)
	return true
}

// Fold adds a match without a period that follows m and has the evidence that the others
// in m have.
func (m *Match) Fold(next Match) bool {
	period := m.Period
	if period == 0 {
		period = m.Count
	}
	if m.Count == 0 || m.Pos+uint64(m.Count) != next.Pos || m.From != next.From ||
		period != next.Count || m.Copies != next.Copies || next.Period != 0 {
		return false
	}
	m.Count += next.Count
	m.Period = period
	return true
}

// A Repeat says that Count passages of a record, one starting at each unit
// from Start on, equal those of the record From that start from FromStart on.
// So its text, End(L)-Start units, equals text there. It is maximal: the
// passage before it and that after it are not repeated, or have evidence that
// stands elsewhere. What repeats a corpus has does not depend on the window.
type Repeat struct {
	Record, From     int
	Start, FromStart int
	Count            int
	Copies           int // how often the rarest of its passages stands in all

	// Period, if it is not 0, divides Count: the evidence of each Period passages is that
	// of the first ones, as in a text of one letter. So many repeats, each followed by the
	// next, are one.
	Period int
}

// Part returns the last of the repeats without a period that r stands for that starts at
// or before a unit.
func (r Repeat) Part(unit int) Repeat {
	if r.Period > 0 {
		r.Start += min((unit-r.Start)/r.Period*r.Period, r.Count-r.Period)
		r.Count, r.Period = r.Period, 0
	}
	return r
}

// End is the end of the repeat's text, given the length of a passage.
func (r Repeat) End(length int) int { return r.Start + r.Count - 1 + length }
