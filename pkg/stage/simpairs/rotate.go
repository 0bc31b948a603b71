package simpairs

import (
	"fmt"
	"strconv"
	"strings"

	"doppel/pkg/files"
	"doppel/pkg/msg"
	"doppel/pkg/simhash"
)

// writeRotation writes the pairs of the rotation search in the same order as the Python script
// dedup.py. Pairs are grouped by their first member, and the groups are in the order in which the
// search finds them. To group the pairs, writeRotation holds all of them in memory.
func writeRotation(s simhash.Search, o *Options, w *writer) error {
	var groups [][]simhash.Pair
	of, pairs := map[uint32]int{}, 0 // index of the group for each first member; number of pairs
	err := s.Rotation(w.in.hashes, o.Window, func(p simhash.Pair) error {
		p, err := w.orient(p)
		if err == nil && o.Verbose {
			err = w.describe(p)
		}
		i, ok := of[p.A]
		if !ok {
			i = len(groups)
			of[p.A], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], p)
		pairs++
		return err
	})
	if err != nil {
		return err
	}
	for _, g := range groups {
		if o.Verbose {
			fmt.Fprintf(w.e.Stderr, "found %d duplicate(s) of file:  %s\n", len(g), w.printable(g[0].A))
		}
		for _, p := range g {
			if err := w.writePair(p); err != nil {
				return err
			}
		}
	}
	if o.Verbose {
		fmt.Fprintf(w.e.Stderr, "found %d duplicate(s) in total\n", pairs)
	}
	return nil
}

// describe prints a pair like the Python script dedup.py with -v. It prints the texts (empty unless
// ids are names of files), the bits of the hashes as they were rotated when the pair was found, and
// the share of differing bits.
func (w *writer) describe(p simhash.Pair) error {
	for _, i := range []uint32{p.A, p.B} {
		text := []string{""}
		if w.longerFirst {
			content, err := files.AppendText(nil, w.id(i), files.Follow, nil)
			if err = w.e.Skip(err); err != nil {
				return err
			}
			text = strings.Split(string(content), "\n")
		}
		for n, line := range text {
			text[n] = msg.Printable(line)
		}
		fmt.Fprintf(w.e.Stderr, "%s : %s\n", w.printable(i), strings.Join(text, "\n"))
	}
	for _, i := range []uint32{p.A, p.B} {
		fmt.Fprintln(w.e.Stderr, w.in.hashes[i].RotateRight(int(p.Rotation), w.in.width).Binary())
	}
	share, digits := float64(p.Distance)/float64(w.in.width), -1
	if share == 0 || share == 1 {
		digits = 1 // Python prints 0 and 1 as 0.0 and 1.0
	}
	fmt.Fprintln(w.e.Stderr, strconv.FormatFloat(share, 'f', digits, 64))
	return nil
}

func (w *writer) printable(i uint32) string { return msg.Printable(string(w.id(i))) }
