//go:build linux

package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// A result is what came of one case.
type result struct {
	name     string
	err      error
	commands []string
	rows     []row
	dir      string
	took     time.Duration
	build    string // of the tools: their digest
}

// results collects what came of all cases. A failure is printed at once.
type results struct {
	mu    sync.Mutex
	all   []result
	more  *os.File // the record, nil without one
	began time.Time
	took  time.Duration
}

// A verdict is one of what can become of a case.
type verdict string

const (
	held     verdict = "held"
	failed   verdict = "failed"
	notTold  verdict = "not tried"
	mostShow         = 12 // commands of a failure that are shown
)

func (r result) verdict() verdict {
	switch {
	case r.err == nil:
		return held
	case errors.As(r.err, new(notTried)):
		return notTold
	}
	return failed
}

func (r result) kind() string { return strings.SplitN(r.name, "/", 2)[0] }

func (all *results) add(r result) {
	all.mu.Lock()
	defer all.mu.Unlock()
	all.all = append(all.all, r)
	if err := keep(all.more, r); err != nil {
		fmt.Fprintln(os.Stderr, "fault: the record:", err)
	}
	if r.verdict() == failed {
		r.explain(os.Stderr)
	}
}

// explain writes what a failure is, and how to have it again.
func (r result) explain(w io.Writer) {
	fmt.Fprintf(w, "FAILED %s\n\t%s\n", r.name, strings.ReplaceAll(r.err.Error(), "\n", "\n\t"))
	commands := r.commands[max(0, len(r.commands)-mostShow):]
	for _, c := range commands {
		fmt.Fprintf(w, "\t$ %s\n", printable(firstLines(c, 30)))
	}
	fmt.Fprintf(w, "\tagain: go run ./scripts/fault %s-keep -run %s\n", again(os.Args[1:]), quoted("^"+regexp.QuoteMeta(r.name)+"$"))
}

// printable writes control characters as Go does: the names of some cases have
// them, and who reads about those has a terminal.
func printable(s string) string {
	var b strings.Builder
	for _, c := range s {
		if control(c) || c == utf8.RuneError {
			b.WriteString(strings.Trim(strconv.QuoteRune(c), "'"))
		} else {
			b.WriteRune(c)
		}
	}
	return b.String()
}

// again returns the options of this run that a repetition needs.
func again(args []string) (text string) {
	for i, arg := range args {
		name, _, joined := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		if !slices.Contains([]string{"seed", "bin"}, name) || !strings.HasPrefix(arg, "-") {
			continue
		}
		text += arg + " "
		if !joined && i+1 < len(args) {
			text += quoted(args[i+1]) + " "
		}
	}
	return text
}

// counts returns how many cases of a kind, or of all, there are of each verdict.
func (all *results) counts(kind string) map[verdict]int {
	n := map[verdict]int{}
	for _, r := range all.all {
		if kind == "" || r.kind() == kind {
			n[r.verdict()]++
		}
	}
	return n
}

// failed returns how many cases failed.
func (all *results) failed() int { return all.counts("")[failed] }

// missing returns how many cases count as failed because they must be tried: all
// but those that lack a right.
func (all *results) missing(must bool) (n int) {
	for _, r := range all.all {
		if lack := (notTried{}); must && errors.As(r.err, &lack) && !lack.right {
			n++
		}
	}
	return n
}

// untried says of which family of cases how many were not tried, and why.
func (all *results) untried() (lines []string) {
	counts := map[string]int{}
	for _, r := range all.all {
		if lack := (notTried{}); errors.As(r.err, &lack) {
			family := strings.SplitN(r.name, "/", 3)
			counts[strings.Join(family[:min(2, len(family))], "/")+": "+lack.why]++
		}
	}
	for _, family := range slices.Sorted(maps.Keys(counts)) {
		lines = append(lines, fmt.Sprintf("%d of %s", counts[family], firstLines(family, 1)))
	}
	return lines
}

// print writes the counts of each kind.
func (all *results) print(w io.Writer) {
	fmt.Fprintf(w, "%-8s %7s %7s %7s %7s\n", "kind", "cases", "held", "failed", "untried")
	for _, k := range kinds {
		if n := all.counts(k.name); len(n) > 0 {
			fmt.Fprintf(w, "%-8s %7d %7d %7d %7d\n", k.name, n[held]+n[failed]+n[notTold], n[held], n[failed], n[notTold])
		}
	}
	for _, why := range all.untried() {
		fmt.Fprintf(w, "not tried: %s\n", why)
	}
	fmt.Fprintf(w, "%d cases in %s\n", len(all.all), all.took.Round(time.Second))
}
