package corpus

import (
	"slices"

	"doppel/pkg/par"
	"doppel/pkg/passage"
)

// reduce compares the texts of each bin, and adds the matches to f.matches.
func (f *Finder) reduce() error {
	f.matches = newSorter[matchEntry](f.ruler.parts(), f.opt.Mem/4)
	most := int(4*f.binSize()) / matchSize
	bins := f.bins // workers that still run after an error must not read f.bins, which Close clears
	worker := func() func(int) binMatches {
		g, err := passage.NewGroup(f.opt.Scheme, f.opt.Rule)
		r := &reducer{bins: bins, group: g, most: most}
		return func(bin int) binMatches {
			h := &bins.heaps[bin]
			if large := h.size+memberSize*int64(h.n) > 4*f.binSize(); large || err != nil {
				return binMatches{bin: bin, large: err == nil, err: err}
			}
			return r.bin(bin)
		}
	}
	err := par.Ordered(f.opt.Jobs, numbersBelow(f.stats.Bins), worker, func(r binMatches) error {
		if r.large {
			return f.reduceLarge(r.bin)
		}
		for _, e := range r.matches {
			if err := f.addMatch(e); err != nil {
				return err
			}
		}
		return r.err
	})
	if err != nil {
		return err
	}
	f.stats.Scratch += f.matches.Spilled()
	return f.closeBins()
}

type binMatches struct {
	bin     int
	large   bool // whether the bin is too large for a worker; if so, reduce must call reduceLarge
	matches []matchEntry
	err     error
}

// A reducer finds the matches of bins.
type reducer struct {
	bins     *bins
	group    *passage.Group
	data     []byte
	members  []member
	order    []int32 // indices of the members, ordered by group
	contexts []int32 // context of each text
	found    []passage.Match
	most     int // maximum number of matches to hold in memory for a bin
}

// matchSize is the number of bytes of memory that a match needs.
const matchSize = 24

// The last word of a matchEntry holds the count minus one in bits 0 to 7, then the period, then the
// number of copies. A period is at most half of the count, so it fits in 8 bits.
const periodShift, copiesShift = 8, 16

// bin finds the matches of a bin. If there are more than r.most matches, it reports the bin as
// large. A bin has many matches if the evidence of consecutive passages is in different places,
// because each such passage is a separate match.
func (r *reducer) bin(bin int) (out binMatches) {
	r.data = slices.Grow(r.data[:0], int(r.bins.heaps[bin].size))
	out.err = r.bins.eachSegment(bin, func(data []byte) error {
		r.data = append(r.data, data...)
		return nil
	})
	if out.err != nil {
		return out
	}
	r.members = r.members[:0]
	texts := int32(0)
	for data := r.data; len(data) > 0; {
		m, size := parseMember(data, &texts)
		r.members = append(r.members, m)
		data = data[size:]
	}
	r.contexts = slices.Grow(r.contexts[:0], int(texts))[:texts]
	r.sort()
	for rest := r.order; len(rest) > 0; {
		n, group := 1, r.members[rest[0]].group
		for n < len(rest) && r.members[rest[n]].group == group {
			n++
		}
		if out.matches = r.matches(out.matches, rest[:n]); len(out.matches) > r.most {
			return binMatches{bin: bin, large: true}
		}
		rest = rest[n:]
	}
	return out
}

// sort orders the members by group with a counting sort. Within a group, the members stay in the
// order in which the bin holds them.
func (r *reducer) sort() {
	starts := []int32{0}
	for i := range r.members {
		g := int(r.members[i].group) + 1
		for len(starts) <= g {
			starts = append(starts, 0)
		}
		starts[g]++
	}
	for g := 1; g < len(starts); g++ {
		starts[g] += starts[g-1]
	}
	r.order = slices.Grow(r.order[:0], len(r.members))[:len(r.members)]
	for i := range r.members {
		g := r.members[i].group
		r.order[starts[g]] = int32(i)
		starts[g]++
	}
}

// matches appends the matches of a group's members to dst. It stops when dst has more than r.most
// entries.
func (r *reducer) matches(dst []matchEntry, group []int32) []matchEntry {
	r.group.Reset()
	for _, i := range group {
		m := &r.members[i]
		if m.same {
			m.context = r.contexts[m.text]
			r.group.AddEqual(int(m.context), m.Pos)
			continue
		}
		m.context = int32(r.group.Add(m.Member))
		r.contexts[m.text] = m.context
	}
	for _, i := range group {
		r.found = r.group.AppendMatches(r.found[:0], int(r.members[i].context), r.members[i].Pos)
		for _, m := range r.found {
			dst = append(dst, entryOfMatch(m))
		}
		if len(dst) > r.most {
			break
		}
	}
	return dst
}

func entryOfMatch(m passage.Match) matchEntry {
	return matchEntry{m.Pos, m.From, uint64(m.Copies)<<copiesShift | uint64(m.Period)<<periodShift | uint64(m.Count-1)}
}
