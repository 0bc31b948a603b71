// Command mailpairs measures how well programs find the copies among mails:
//
//	go run ./scripts/mailpairs [-root DIR] [-seed N] [-scale X] [-mdedup PROGRAM] [-write FILE]
//
// It makes pairs of mails from the text of the repository's documents: copies, and mails that are
// alike but no copies, such as a letter and its answer. It stores all of them in an mbox, runs "doppel
// mail" and "fuzzysum --mime", and prints a table for each kind of pair: how many are taken for
// copies by "doppel mail --remove", are listed as similar, and would be found by their sums, as in
// the recipe of fuzzyseen(1). With -mdedup, it also runs the program mdedup of the Python package
// mail-deduplicate on a Maildir of these mails. With -write, it only writes the mbox.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/bits"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

func main() {
	root := flag.String("root", ".", "root of the repository")
	seed := flag.Uint64("seed", 1, "seed of the random numbers")
	scale := flag.Float64("scale", 1, "number of pairs; 1 for 4,000")
	mdedup := flag.String("mdedup", "", "path of the program mdedup")
	write := flag.String("write", "", "only write the mbox with this name")
	flag.Parse()
	if err := run(*root, *seed, *scale, *mdedup, *write); err != nil {
		fmt.Fprintln(os.Stderr, "mailpairs:", err)
		os.Exit(1)
	}
}

func run(root string, seed uint64, scale float64, mdedup, write string) error {
	w, err := newWriter(root, seed)
	if err != nil {
		return err
	}
	pairs := makePairs(w, scale)
	if write != "" {
		return os.WriteFile(write, []byte(mboxOf(pairs)), 0o666)
	}
	dir, err := os.MkdirTemp("", "mailpairs")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	found, err := evaluate(pairs, dir)
	if err == nil && mdedup != "" {
		err = runMdedup(mdedup, pairs, found, dir)
	}
	if err == nil {
		printTable(pairs, found, mdedup != "")
	}
	return err
}

// mboxOf returns an mbox with the two messages of each pair, one after the other.
func mboxOf(pairs []pair) string {
	var box strings.Builder
	for _, p := range pairs {
		for _, m := range []message{p.a, p.b} {
			text := strings.ReplaceAll(m.String(), "\r\n", "\n")
			text = fromLine.ReplaceAllString(text, ">$0")
			fmt.Fprintf(&box, "From sender@example.org Mon Nov 16 10:00:00 2026\n%s\n\n", strings.TrimRight(text, "\n"))
		}
	}
	return box.String()
}

var fromLine = regexp.MustCompile(`(?m)^From `)

// A finding says what programs find about a pair.
type finding struct {
	removed int  // number of messages that doppel mail --remove removes
	similar bool // doppel mail lists the second message as similar to the first
	sums    bool // the sums differ in at most two bits
	mdedup  int  // number of messages that mdedup removes
}

// evaluate runs doppel mail and fuzzysum on the pairs.
func evaluate(pairs []pair, dir string) ([]finding, error) {
	box := filepath.Join(dir, "box")
	if err := os.WriteFile(box, []byte(mboxOf(pairs)), 0o666); err != nil {
		return nil, err
	}
	all := make([]finding, len(pairs))
	out, err := exec.Command("doppel", "mail", "--json", box).Output()
	if err != nil {
		return nil, fmt.Errorf("doppel mail: %w", err)
	}
	for line := range strings.Lines(string(out)) {
		var m struct{ Verdict, Name string }
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			return nil, err
		}
		n, err := strconv.Atoi(m.Name[strings.LastIndexByte(m.Name, ':')+1:])
		if err != nil {
			return nil, err
		}
		if m.Verdict == "copy" {
			all[n/2].removed++
		}
		all[n/2].similar = all[n/2].similar || m.Verdict == "similar"
	}
	sums, err := exec.Command("fuzzysum", "--mime", "--mbox", box).Output()
	if err != nil {
		return nil, fmt.Errorf("fuzzysum: %w", err)
	}
	lines := strings.Split(string(sums), "\n")
	if len(lines) != 2*len(pairs)+1 {
		return nil, fmt.Errorf("fuzzysum: %d sums of %d messages", len(lines)-1, 2*len(pairs))
	}
	for i := range all {
		all[i].sums = closeSums(sumOf(lines[2*i]), sumOf(lines[2*i+1]))
	}
	return all, nil
}

func sumOf(line string) string {
	sum, _, _ := strings.Cut(line, "\t")
	return sum[strings.LastIndexByte(sum, ':')+1:]
}

// closeSums reports whether fuzzyseen takes two sums for the same with its default distance.
func closeSums(a, b string) bool {
	if a == b {
		return true
	}
	if strings.HasPrefix(a, "e8ac7") || strings.HasPrefix(b, "e8ac7") {
		return false
	}
	distance := 0
	for _, at := range []int{0, 16} {
		x, _ := strconv.ParseUint(a[at:at+16], 16, 64)
		y, _ := strconv.ParseUint(b[at:at+16], 16, 64)
		distance += bits.OnesCount64(x ^ y)
	}
	return distance <= 2
}

// runMdedup runs mdedup with its defaults on a Maildir of the pairs.
func runMdedup(program string, pairs []pair, found []finding, dir string) error {
	maildir := filepath.Join(dir, "maildir")
	for _, sub := range []string{"cur", "new", "tmp"} {
		if err := os.MkdirAll(filepath.Join(maildir, sub), 0o777); err != nil {
			return err
		}
	}
	name := func(i, n int) string { return filepath.Join(maildir, "cur", fmt.Sprintf("%06d.%d.host:2,S", i, n)) }
	for i, p := range pairs {
		for n, m := range []message{p.a, p.b} {
			if err := os.WriteFile(name(i, n), []byte(m.String()), 0o666); err != nil {
				return err
			}
		}
	}
	c := exec.Command(program, "--strategy", "discard-one", "--action", "delete-selected", maildir)
	c.Stdout, c.Stderr = os.Stderr, os.Stderr
	if err := c.Run(); err != nil {
		return fmt.Errorf("%s: %w", program, err)
	}
	for i := range pairs {
		for n := range 2 {
			if _, err := os.Stat(name(i, n)); err != nil {
				found[i].mdedup++
			}
		}
	}
	return nil
}

// A count sums up the findings about some pairs.
type count struct{ pairs, removed, similar, sums, mdedup int }

func (c *count) add(f finding) {
	c.pairs++
	c.removed += min(f.removed, 1)
	c.mdedup += min(f.mdedup, 1)
	if f.similar {
		c.similar++
	}
	if f.sums {
		c.sums++
	}
}

// countAll counts the findings about the pairs that a function selects.
func countAll(pairs []pair, found []finding, selected func(pair) bool) (c count) {
	for i, p := range pairs {
		if selected(p) {
			c.add(found[i])
		}
	}
	return c
}

func printTable(pairs []pair, found []finding, mdedup bool) {
	line := func(name string, c count) {
		fmt.Printf("| %s | %d | %d | %d | %d |", name, c.pairs, c.removed, c.similar, c.sums)
		if mdedup {
			fmt.Printf(" %d |", c.mdedup)
		}
		fmt.Println()
	}
	var kinds []string
	known := map[string]bool{}
	for _, p := range pairs {
		if !known[p.kind] {
			known[p.kind] = true
			kinds = append(kinds, p.kind)
		}
	}
	for _, kind := range kinds {
		line(kind, countAll(pairs, found, func(p pair) bool { return p.kind == kind }))
	}
	for _, name := range []string{"copies", "copies of 60 words and more", "no copies", "answers and forwards with >"} {
		line("**"+name+"**", countAll(pairs, found, totals[name]))
	}
}

var totals = map[string]func(pair) bool{
	"copies":                      func(p pair) bool { return p.copy },
	"copies of 60 words and more": func(p pair) bool { return p.copy && len(strings.Fields(p.a.text)) >= 60 },
	"no copies":                   func(p pair) bool { return !p.copy },
	"answers and forwards with >": func(p pair) bool { return !p.copy && strings.HasSuffix(p.kind, ", >") },
}
