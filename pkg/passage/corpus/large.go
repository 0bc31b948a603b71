package corpus

import (
	"errors"
	"slices"

	"doppel/pkg/passage"
)

// A bin that is too large for memory holds one large group, or the corpus is
// so large that bins are. It is taken as one group, which is right for several
// too. Its members are read twice, and only its distinct texts are held: a
// million copies are one. If those too are too many, the bin is a corpus of
// its own, whose records are the members' texts, and in which a larger window
// tells apart what a small one does not: half way to the length of a passage.
// At that length all passages of a group are equal, so this ends. What grows
// with such a bin are 8 B a member, and 16 a text.
//
// Measured on the revisions of documents, 1.28 GB: with 64 MB ten groups went
// deeper, and with 256 MB none.

// memberSize is what a member takes in memory, its text not counted.
const memberSize = 80

// isLarge reports whether a heap is not to be loaded.
func (f *Finder) isLarge(h *heap) bool { return h.size+memberSize*int64(h.n) > 4*f.binSize() }

var errTooLarge = errors.New("too many distinct texts")

// reduceLarge adds the matches of a bin that is large.
func (f *Finder) reduceLarge(bin int) error {
	g, err := passage.NewGroup(f.opt.Scheme, f.opt.Rule)
	if err != nil {
		return err
	}
	l := largeGroup{finder: f, bin: bin, group: g}
	if err := l.eachMember(l.learn); err != nil {
		if err == errTooLarge {
			return l.deeper()
		}
		return err
	}
	return l.eachMember(l.match)
}

// A largeGroup is a group that is read from its bin.
type largeGroup struct {
	finder   *Finder
	bin      int
	group    *passage.Group
	contexts []int32 // of each text in the bin
	found    []passage.Match
}

func (l *largeGroup) eachMember(fn func(member) error) error {
	texts := int32(0)
	return l.finder.bins.each(l.bin, func(data []byte) error {
		for len(data) > 0 {
			m, size := parseMember(data, &texts)
			if err := fn(m); err != nil {
				return err
			}
			data = data[size:]
		}
		return nil
	})
}

func (l *largeGroup) learn(m member) error {
	if m.same {
		l.group.AddEqual(int(l.contexts[m.text]), m.Pos)
		return nil
	}
	context, ok := l.group.Find(m.Text)
	if ok {
		l.group.AddEqual(context, m.Pos)
	} else {
		m.Text = slices.Clone(m.Text)
		context = l.group.Add(m.Member)
	}
	l.contexts = append(l.contexts, int32(context))
	s := l.finder.opt.Scheme
	if !ok && s.Window < s.Length && int64(l.group.Size()) > l.finder.opt.Mem/4 {
		return errTooLarge
	}
	return nil
}

func (l *largeGroup) match(m member) error {
	l.found = l.group.AppendMatches(l.found[:0], int(l.contexts[m.text]), m.Pos)
	for _, m := range l.found {
		if err := l.finder.addMatch(entryOfMatch(m)); err != nil {
			return err
		}
	}
	return nil
}

func (f *Finder) addMatch(e matchEntry) error {
	f.stats.Matches++
	return f.matches.Add(f.ruler.part(e[0]), e)
}

// deeper finds the matches of the members with a larger window.
func (l *largeGroup) deeper() error {
	l.group, l.contexts = nil, nil
	o := l.finder.opt
	o.Mem /= 2
	o.Scheme.Window = (o.Scheme.Window + o.Scheme.Length + 1) / 2
	sub, err := New(o)
	if err != nil {
		return err
	}
	g := members{bins: l.finder.bins, bin: l.bin}
	if err := l.eachMember(g.note); err != nil {
		return errors.Join(err, sub.Close())
	}
	err = sub.Scan(g.open)
	if err == nil {
		err = sub.Find(g.open, func(r passage.Repeat) error {
			m := passage.Match{
				Pos: g.pos[r.Record] + uint64(r.Start), From: g.pos[r.From] + uint64(r.FromStart),
				Count: r.Count, Copies: r.Copies, Period: r.Period,
			}
			return l.finder.addMatch(entryOfMatch(m))
		})
	}
	l.finder.stats.Scratch += sub.stats.Scratch
	l.finder.stats.Deeper++
	return errors.Join(err, sub.Close())
}
