package corpus

import (
	"errors"
	"slices"

	"doppel/pkg/passage"
)

// A bin can be too large for memory because it holds one large group, or because the corpus is so
// large that all bins have grown. reduceLarge processes such a bin as one group, which is also
// correct for several groups. It reads the members twice and holds only the distinct texts, so a
// million copies of a text need no more memory than one. If there are too many distinct texts, the
// bin is processed as a separate corpus (see deeper), whose records are the members' texts. The
// window of this corpus is larger, halfway to the length of a passage, so fewer texts share a key.
// When the window reaches that length, all passages of a group are equal, so the recursion ends.
// The separate corpus takes 8 B of memory per member and 16 B per text.
//
// For 1.28 GB of document revisions, ten bins had to be processed as separate corpora with 64 MB of
// memory, and none with 256 MB.

// memberSize is the number of bytes of memory that a member needs in addition to its text.
const memberSize = 80

var errTooLarge = errors.New("too many distinct texts")

// reduceLarge finds the matches in a bin that does not fit in memory, and adds them to f.matches.
func (f *Finder) reduceLarge(bin int) error {
	s := f.opt.Scheme
	g, err := passage.NewGroup(s, f.opt.Rule)
	if err != nil {
		return err
	}
	var contexts []int32 // the context of each text in the bin
	err = f.eachMember(bin, func(m member) error {
		if m.same {
			g.AddEqual(int(contexts[m.text]), m.Pos)
			return nil
		}
		if f.opt.Value != nil && !f.opt.Across {
			m.Value = f.opt.Value(recordOf(m.Pos))
		}
		context, ok := g.Find(m.Member)
		if ok {
			g.AddEqual(context, m.Pos)
		} else {
			m.Text = slices.Clone(m.Text)
			context = g.Add(m.Member)
		}
		contexts = append(contexts, int32(context))
		if !ok && s.Window < s.Length && int64(g.Size()) > f.opt.Mem/4 {
			return errTooLarge
		}
		return nil
	})
	if err == errTooLarge {
		g, contexts = nil, nil // release the memory before the recursion
		return f.deeper(bin)
	}
	if err != nil {
		return err
	}
	var found []passage.Match
	return f.eachMember(bin, func(m member) error {
		found = g.AppendMatches(found[:0], int(contexts[m.text]), m.Pos)
		for _, m := range found {
			if err := f.addMatch(entryOfMatch(m)); err != nil {
				return err
			}
		}
		return nil
	})
}

func (f *Finder) eachMember(bin int, fn func(member) error) error {
	texts := int32(0)
	return f.bins.eachSegment(bin, func(data []byte) error {
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

func (f *Finder) addMatch(e matchEntry) error {
	f.stats.Matches++
	return f.matches.Add(f.ruler.part(e[0]), e)
}

// deeper processes the members of a bin as a separate corpus with a larger window.
func (f *Finder) deeper(bin int) error {
	var pos []uint64 // the position of each member
	o := f.opt
	o.Mem /= 2
	if f.opt.Value != nil {
		o.Value = func(member int) uint32 { return f.opt.Value(recordOf(pos[member])) }
	}
	o.Scheme.Window = (o.Scheme.Window + o.Scheme.Length + 1) / 2
	sub, err := New(o)
	if err != nil {
		return err
	}
	err = f.eachMember(bin, func(m member) error {
		pos = append(pos, m.Pos)
		return nil
	})
	if err != nil {
		return errors.Join(err, sub.Close())
	}
	err = sub.Scan(f.bins.asCorpus(bin))
	if err == nil {
		err = sub.Find(f.bins.asCorpus(bin), func(r passage.Repeat) error {
			return f.addMatch(entryOfMatch(passage.Match{
				Pos: pos[r.Record] + uint64(r.Start), From: pos[r.From] + uint64(r.FromStart),
				Count: r.Count, Copies: r.Copies, Period: r.Period,
			}))
		})
	}
	f.stats.Scratch += sub.stats.Scratch
	f.stats.Deeper++
	return errors.Join(err, sub.Close())
}
