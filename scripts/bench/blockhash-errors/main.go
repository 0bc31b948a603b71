// Blockhash-errors counts the different contents that a block hash would take
// for equal: for each rule, how many of the distinct contents of a corpus are
// merged with another one, and which share of all bytes is read. The hash is
// of 128 bits, so that what is counted are errors of the rule alone.
//
//	go run ./scripts/bench/blockhash-errors CORPUS...
//
// A corpus is a directory, of which all files are taken, or git:DIR, for all
// blobs in the objects of a git repository. The table is in Markdown.
package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"doppel/pkg/blockhash"
	"doppel/pkg/files"
	"doppel/pkg/files/filename"
	"doppel/scripts/bench/objects"
)

// rules are what is measured.
func rules() (all []blockhash.Rule) {
	for _, b := range []int64{256, 1024, 4096, 16384, 65536} {
		all = append(all, blockhash.Rule{Form: blockhash.Published, Block: b, Count: 3})
	}
	for _, b := range []int64{256, 512, 1024, 2048, 4096, 8192, 16384, 65536} {
		all = append(all, blockhash.Rule{Block: b, Count: 3})
	}
	for _, n := range []int{1, 2, 5, 9, 17} {
		all = append(all, blockhash.Rule{Block: 4096, Count: n})
	}
	return all
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "blockhash-errors:", err)
		os.Exit(2)
	}
}

func run(names []string) error {
	var all []*corpus
	for _, name := range names {
		c := newCorpus(name)
		if err := c.load(); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, c)
	}
	return table(os.Stdout, all)
}

// A corpus counts the distinct contents of some files, in full and by rule.
type corpus struct {
	name  string
	hash  blockhash.Hash
	seen  map[blockhash.Sum]bool
	total int64
	rules []tally
}

// A tally is what a rule makes of a corpus.
type tally struct {
	rule blockhash.Rule
	sums []blockhash.Sum
	read int64
}

func newCorpus(name string) *corpus {
	c := &corpus{name: name, seen: map[blockhash.Sum]bool{}}
	c.hash, _ = blockhash.New(blockhash.XXH3, nil) // fails only with a key
	for _, r := range rules() {
		c.rules = append(c.rules, tally{rule: r})
	}
	return c
}

func (c *corpus) load() error {
	if dir, ok := strings.CutPrefix(c.name, "git:"); ok {
		return objects.All(dir, func(_ string, content []byte) error { c.add(content); return nil })
	}
	return c.loadTree(c.name)
}

// add counts a content, once.
func (c *corpus) add(content []byte) {
	full := blockhash.Rule{Form: blockhash.Full}
	if sum, _ := c.sum(full, content); len(content) > 0 && !c.seen[sum] {
		c.seen[sum] = true
		c.total += int64(len(content))
		for i := range c.rules {
			t := &c.rules[i]
			sum, read := c.sum(t.rule, content)
			t.sums, t.read = append(t.sums, sum), t.read+read
		}
	}
}

// sum hashes a content by a rule, and returns how much of it that reads.
func (c *corpus) sum(r blockhash.Rule, content []byte) (sum blockhash.Sum, read int64) {
	var text []byte
	for _, s := range r.Spans(nil, int64(len(content))) {
		text = append(text, content[s.Off:s.Off+s.Len]...)
		read += s.Len
	}
	var sums [1]blockhash.Sum
	c.hash.Sums(sums[:], [][]byte{blockhash.AppendSize(text, int64(len(content)))})
	return sums[0], min(read, int64(len(content)))
}

// loadTree adds all regular files below a directory.
func (c *corpus) loadTree(dir string) error {
	w := files.NewWalk([]string{dir}, files.Refuse)
	var b filename.Batch
	for {
		err := w.Next(&b, 64)
		if err == io.EOF {
			return nil
		}
		for _, it := range b.Items {
			content, err := os.ReadFile(string(it.Name))
			if it.Err != nil || err != nil {
				return cmp.Or(it.Err, err)
			}
			c.add(content)
		}
	}
}

// table writes a row for each rule.
func table(w io.Writer, all []*corpus) error {
	b := bufio.NewWriter(w)
	head, line := "| rule |", "|---|"
	for _, c := range all {
		head += fmt.Sprintf(" %s: of %d merged | read %% |", c.name, len(c.seen))
		line += "--:|--:|"
	}
	fmt.Fprintf(b, "%s\n%s\n", head, line)
	for i, r := range rules() {
		fmt.Fprintf(b, "| %s |", r)
		for _, c := range all {
			t := &c.rules[i]
			fmt.Fprintf(b, " %d | %.1f |", len(t.sums)-distinct(t.sums), 100*float64(t.read)/float64(max(c.total, 1)))
		}
		fmt.Fprintln(b)
	}
	return b.Flush()
}

func distinct(sums []blockhash.Sum) int {
	slices.SortFunc(sums, func(a, b blockhash.Sum) int {
		return cmp.Or(cmp.Compare(a.Hi, b.Hi), cmp.Compare(a.Lo, b.Lo))
	})
	return len(slices.Compact(sums))
}
