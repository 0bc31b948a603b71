// Fuzzysum-quality measures on the commit messages of a git repository how often
// a fuzzy sum survives a small change, and how often unrelated messages meet.
//
//	go run ./scripts/bench/fuzzysum-quality [-peers] [-n MESSAGES] REPOSITORY
//
// Each row is a method and the greatest distance that it calls the same. The
// columns +1, sub, +5, +20 and wrap say how many percent of the messages keep
// their sum so far when a word is added, a word is replaced, a footer of five
// or twenty words is added, and the lines are folded anew. The column meet says
// how many pairs in a million of unrelated messages are that close; pairs whose
// sets of words have a Jaccard similarity of 0.3 or more are left out of it.
//
// With -peers the same is done with ssdeep, tlsh, simhash (Debian's packages
// ssdeep, tlsh-tools and simhash) and nilsimsa (PyPI's, as a module of $PYTHON or
// python3). That starts a process a pair, so take -n 200; 2,000 pairs are drawn.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
)

// classes are the bounds, in words, of the classes of messages.
var classes = []int{10, 20, 30, 40, 60, 120, 250, 500, 1500}

func main() {
	log.SetFlags(0)
	n := flag.Int("n", 1000, "messages of each class of length")
	seed := flag.Uint64("seed", 1, "of the random changes")
	peers := flag.Bool("peers", false, "measure the other programs instead")
	flag.Parse()
	if flag.NArg() != 1 {
		log.Fatal("usage: fuzzysum-quality [-peers] [-n MESSAGES] REPOSITORY")
	}
	if err := run(os.Stdout, flag.Arg(0), *n, *seed, *peers); err != nil {
		log.Fatal(err)
	}
}

func run(w io.Writer, repository string, n int, seed uint64, peers bool) error {
	messages, err := commitMessages(repository)
	if err != nil {
		return err
	}
	methods, pairs := ownMethods(), allPairs
	if peers {
		dir, err := os.MkdirTemp("", "fuzzysum-quality")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		methods, pairs = peerMethods(dir), fewPairs
	}
	out := bufio.NewWriter(w)
	for i, low := range classes[:len(classes)-1] {
		set := newSample(messages, low, classes[i+1], n, seed)
		fmt.Fprintf(out, "%d to %d words, %d messages\n", low, classes[i+1]-1, len(set.originals))
		fmt.Fprintf(out, "%-32s %5s %5s %5s %5s %5s %9s\n", "", "+1", "sub", "+5", "+20", "wrap", "meet")
		for _, m := range methods {
			if err := errors.Join(measure(out, m, set, pairs), out.Flush()); err != nil {
				return err
			}
		}
	}
	return nil
}
