package simpairs

import (
	"fmt"
	"strconv"
	"strings"

	"doppel/pkg/files"
	"doppel/pkg/simhash"
	"doppel/pkg/wording"
)

// rotate writes the pairs of the rotation search in the order of dedup.py:
// grouped by their first member, the groups in the order in which the search
// meets them. So all pairs are held.
func rotate(s simhash.Search, o *Options, w *writer) error {
	found := groups{of: map[uint32]int{}}
	err := s.Rotation(w.in.hashes, o.Window, func(p simhash.Pair) error {
		p, err := w.orient(p)
		if err == nil && o.Verbose {
			err = w.describe(p)
		}
		found.add(p)
		return err
	})
	if err != nil {
		return err
	}
	for _, g := range found.all {
		if err := w.putGroup(g, o.Verbose); err != nil {
			return err
		}
	}
	if o.Verbose {
		fmt.Fprintf(w.e.Stderr, "found %d duplicate(s) in total\n", found.pairs)
	}
	return nil
}

// putGroup writes the pairs of a group.
func (w *writer) putGroup(g []simhash.Pair, verbose bool) error {
	if verbose {
		fmt.Fprintf(w.e.Stderr, "found %d duplicate(s) of file:  %s\n", len(g), w.printable(g[0].A))
	}
	for _, p := range g {
		if err := w.put(p); err != nil {
			return err
		}
	}
	return nil
}

// groups are pairs by their first member.
type groups struct {
	of    map[uint32]int // where in all the group of a member is
	all   [][]simhash.Pair
	pairs int
}

func (g *groups) add(p simhash.Pair) {
	i, ok := g.of[p.A]
	if !ok {
		i = len(g.all)
		g.of[p.A] = i
		g.all = append(g.all, nil)
	}
	g.all[i] = append(g.all[i], p)
	g.pairs++
}

// describe prints a pair as dedup.py does under -v: the texts, the bits as they
// were when they met, and the part of them that differs.
func (w *writer) describe(p simhash.Pair) error {
	for _, i := range []uint32{p.A, p.B} {
		text, err := w.text(i)
		if err != nil {
			return err
		}
		fmt.Fprintf(w.e.Stderr, "%s : %s\n", w.printable(i), text)
	}
	for _, i := range []uint32{p.A, p.B} {
		fmt.Fprintln(w.e.Stderr, w.in.hashes[i].RotateRight(int(p.Rotation), w.in.width).Binary())
	}
	fmt.Fprintln(w.e.Stderr, pythonFloat(float64(p.Distance)/float64(w.in.width)))
	return nil
}

// text returns a text that can be shown, or "" if ids are no files.
func (w *writer) text(i uint32) (string, error) {
	if !w.longerFirst {
		return "", nil
	}
	text, err := files.Append(nil, w.id(i), files.Follow)
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		lines[i] = wording.Printable(line)
	}
	return strings.Join(lines, "\n"), w.e.Skip(err)
}

func (w *writer) printable(i uint32) string { return wording.Printable(string(w.id(i))) }

// pythonFloat writes a multiple of 1/128 as Python does.
func pythonFloat(x float64) string {
	if x == 0 || x == 1 {
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}
