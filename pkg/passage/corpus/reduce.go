package corpus

import (
	"encoding/binary"
	"io"
	"slices"

	"doppel/pkg/par"
	"doppel/pkg/passage"
)

// reduce compares the texts of each bin, and sorts the matches by position.
func (f *Finder) reduce() error {
	f.matches = newSorter[matchEntry](f.ruler.parts(), f.opt.Mem/4)
	bin := 0
	next := func() (int, error) {
		if bin++; bin > f.stats.Bins {
			return 0, io.EOF
		}
		return bin - 1, nil
	}
	worker := func() func(int) reduced {
		g, err := passage.NewGroup(f.opt.Scheme, f.opt.Rule)
		r := &reducer{bins: f.bins, group: g}
		return func(bin int) reduced {
			if err != nil {
				return reduced{err: err}
			}
			return r.bin(bin)
		}
	}
	if err := par.Ordered(f.opt.Jobs, next, worker, f.takeMatches); err != nil {
		return err
	}
	f.stats.Scratch += f.matches.Spilled()
	return f.closeBins()
}

type reduced struct {
	matches []matchEntry
	err     error
}

func (f *Finder) takeMatches(r reduced) error {
	for _, e := range r.matches {
		if err := f.matches.Add(f.ruler.part(e[0]), e); err != nil {
			return err
		}
	}
	return r.err
}

// A reducer finds the matches of bins.
type reducer struct {
	bins     *bins
	group    *passage.Group
	data     []byte
	members  []member
	contexts []int
	found    []passage.Match
}

type member struct {
	passage.Member
	group uint32
}

func (r *reducer) bin(bin int) (out reduced) {
	if r.data, out.err = r.bins.load(r.data[:0], bin); out.err != nil {
		return out
	}
	r.members = parse(r.members[:0], r.data)
	slices.SortStableFunc(r.members, func(a, b member) int { return int(int64(a.group) - int64(b.group)) })
	for rest := r.members; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].group == rest[0].group {
			n++
		}
		out.matches = r.matches(out.matches, rest[:n])
		rest = rest[n:]
	}
	return out
}

// parse appends the members that are written in data.
func parse(dst []member, data []byte) []member {
	for at := 0; at < len(data); {
		m, size := parseMember(data, at)
		dst = append(dst, m)
		at += size
	}
	return dst
}

// parseMember parses the member that is at a place, and returns its size.
func parseMember(data []byte, at int) (m member, size int) {
	head := data[at:]
	number, n := binary.Uvarint(head[headSize:])
	size = headSize + n
	m.Pos = binary.LittleEndian.Uint64(head)
	m.group = binary.LittleEndian.Uint32(head[8:])
	m.Count = int(head[12]) + 1
	m.Twice = head[13]&flagTwice != 0
	if head[13]&flagSame != 0 {
		same, _ := parseMember(data, int(number))
		m.Text = same.Text
		return m, size
	}
	m.Text = head[size : size+int(number)]
	return m, size + int(number)
}

// matches appends the matches of the members of a group.
func (r *reducer) matches(dst []matchEntry, group []member) []matchEntry {
	r.group.Reset()
	r.contexts = r.contexts[:0]
	for i := range group {
		r.contexts = append(r.contexts, r.group.Add(group[i].Member))
	}
	for i := range group {
		r.found = r.group.AppendMatches(r.found[:0], r.contexts[i], group[i].Pos)
		for _, m := range r.found {
			dst = append(dst, matchEntry{m.Pos, m.From, uint64(m.Copies)<<keyShift | uint64(m.Count-1)})
		}
	}
	return dst
}
