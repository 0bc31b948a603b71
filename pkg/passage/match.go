package passage

// AppendMatches appends the matches of one member to dst, in ascending order of position. The
// member is given by its context and its position. After adding all members, call AppendMatches
// once for each member, in the order in which they were added.
//
// The evidence of a passage is its first occurrence. Under KeepNone, the evidence of the first
// occurrence is the second occurrence. So the evidence depends only on the corpus.
func (g *Group) AppendMatches(dst []Match, context int, pos uint64) []Match {
	if !g.counted {
		g.counted = true
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
	// All passages of this member and of later members of the context are repeated, so the matches
	// of these members differ only in Pos.
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

// compute appends the matches of a member to dst, passage by passage.
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

// Extend merges next into m if next directly follows m in both position and evidence, and neither
// has a period. Extend reports whether it merged the matches.
func (m *Match) Extend(next Match) bool {
	n := uint64(m.Count)
	if n == 0 || m.Pos+n != next.Pos || m.From+n != next.From || m.Period|next.Period != 0 {
		return false
	}
	m.Count += next.Count
	m.Copies = min(m.Copies, next.Copies)
	return true
}

// Fold merges next into m, as one more period of m. The match next must directly follow m, have no
// period, and have the same evidence, count and copies as each period of m. Fold reports whether it
// merged the matches.
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

// A Repeat reports Count repeated passages of a record, which start at consecutive units from
// Start. If Period is 0, the record with the number From has the same passages, from unit FromStart
// on, so the text of the Repeat, which has End(L)-Start units, occurs in both records. A Repeat is
// maximal: the passages just before and after it are not repeated, or have their evidence
// elsewhere. The repeats of a corpus do not depend on the window.
type Repeat struct {
	Record, From     int
	Start, FromStart int
	Count            int
	Copies           int // total number of occurrences of the rarest of these passages

	// Period, if not 0, is the number of passages after which the evidence repeats; Count is a
	// multiple of Period. So in a periodic text, such as a single letter repeated, one Repeat
	// describes many consecutive repeats.
	Period int
}

// Part returns one period of r as a Repeat without a period: the last period that starts at or
// before the given unit. If r has no period, Part returns r.
func (r Repeat) Part(unit int) Repeat {
	if r.Period > 0 {
		r.Start += min((unit-r.Start)/r.Period*r.Period, r.Count-r.Period)
		r.Count, r.Period = r.Period, 0
	}
	return r
}

// End returns the end of the repeat's text, in units. The argument is the Length of the scheme.
func (r Repeat) End(length int) int { return r.Start + r.Count - 1 + length }
