//go:build linux

package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// names are what a file may be called. All bytes but / and NUL may be in one.
var names = []string{
	"-ovictim", "--output=victim", "--help", "--version", "-rf", "-k", "--", "-n", "-0", "--decisions=x",
	"a,b", `a"b`, "a'b", "a\nb", "a\tb", "a\rb", "a\\b", `a\nb`, `"$t"`, "$t", "$(touch pwned)", "`touch pwned`",
	"a b", " a", "a ", "*", "?", "[x]", "{a,b}", "~", "a;touch pwned", "a|b", "a&b", "a>victim", "#a", "!a", "a=b", "a:1",
	"%s", "%!d(x)", "é", "日本", "\xff\xfe", "\x1b[31mred", "\x01\x02\x7f", "...", "x.gz", "x.parquet", "x.toml",
	allBytes(1, 128), allBytes(128, 256), strings.Repeat("n", 255),
}

func allBytes(from, to int) string {
	var b strings.Builder
	for c := from; c < to; c++ {
		if c != '/' {
			b.WriteByte(byte(c))
		}
	}
	return b.String()
}

// takers are commands that take the name of a dataset as an operand; %s is it.
// What they write must not depend on the name.
var takers = []struct{ name, args string }{
	{"fuzzy", "doppel fuzzy --stats none -- %s"},
	{"fuzzy-o", "doppel fuzzy --stats none -o ../o/out -- %s"},
	{"fuzzy-rank", "doppel fuzzy --stats none --rank longest -- %s"},
	{"fuzzy-id", "doppel fuzzy --stats none --id id -- %s"},
	{"exact", "doppel exact --stats none -- %s"},
	{"pipeline", "doppel pipeline --stats none -c steps.yaml -- %s"},
	{"pipeline-fuzzy", "doppel pipeline --stats none -c fuzzy.yaml -- %s"},
	{"filter", "doppel filter --stats none -c filters.yaml -- %s"},
	{"count", "doppel count -- %s"},
	{"inspect", "doppel inspect -- %s"},
	{"measure", "doppel measure --no-progress -- %s"},
	{"recuniq", "recuniq -- %s"},
	{"recsign", "recsign -- %s"},
	{"reccat", "reccat -- %s"},
	{"recfilter", "recfilter --preset default -- %s"},
	{"keepdrop", "keepdrop --decisions decisions -- %s"},
	{"passages", "doppel passages --stats none --length 50 -- %s"},
	{"groups", "doppel groups -- %s"},
	{"cut", "doppel cut --stats none --scores scored -- %s"},
	{"audit", "doppel audit --decisions decisions -o clean -- %s"},
	{"dupspan", "dupspan --scan --length 50 --records %s"},
	{"jaccgroup", "jaccgroup -t 0.8 pairs --records %s"},
	{"dupreview", "dupreview scored --keys a2 --records %s"},
	{"passages-print", "print doppel passages --length 50 --print -- %s"},
	{"groups-print", "print doppel groups --print -- %s"},
	{"cut-print", "print doppel cut --scores scored --print -- %s"},
	{"fuzzy-print", "print doppel fuzzy --print -- %s"},
	{"fuzzy-rank-print", "print doppel fuzzy --rank longest --print -- %s"},
	{"exact-print", "print doppel exact --print -- %s"},
	{"pipeline-print", "print doppel pipeline -c fuzzy.yaml --print -- %s"},
}

func operandTrials() (trials []trial) {
	for _, t := range takers {
		for i := range names {
			trials = append(trials, trial{fmt.Sprintf("operand/name/%s/%02d", t.name, i), func(r *room) error { return named(r, t.args, names[i]) }})
		}
	}
	return slices.Concat(trials, outputTrials(), fieldTrials(), onceTrials())
}

// named holds a command to what it writes of the same data under a plain name.
// Nothing else in the directory is touched.
func named(r *room, args, name string) error {
	if err := errors.Join(r.bring("few.jsonl", "decisions", "clean", "steps.yaml", "filters.yaml", "fuzzy.yaml"), r.bring(lists(args)...), r.write("i/victim", []byte(old)), r.write("i/a", []byte(old)), r.write("i/b", []byte(old))); err != nil {
		return err
	}
	want := r.operand(args, "few.jsonl")
	wantFile := r.read("o/out")
	if err := want.tells(wantFile); err != nil {
		return err
	}
	if err := os.Rename(r.path("i/few.jsonl"), r.path("i/"+name)); err != nil {
		return notTried{why: err.Error()}
	}
	before := r.snapshot("i")
	got := r.operand(args, name)
	return errors.Join(got.wants(want.status, want.stdout), equal("the file of -o", r.read("o/out"), wantFile), changedFiles(before, r.snapshot("i")))
}

// lists are those that args name.
func lists(args string) []string {
	return slices.DeleteFunc([]string{"pairs", "scored"}, func(name string) bool { return !slices.Contains(strings.Fields(args), name) })
}

// operand runs args with a word for %s, or what --print makes of them.
func (r *room) operand(args, word string) outcome {
	args, print := strings.CutPrefix(args, "print ")
	words := strings.Fields(args)
	words[slices.Index(words, "%s")] = word
	o := r.run(command{args: words, dir: "i"})
	if print && o.status == 0 {
		return r.run(command{args: []string{"sh", "-c", o.stdout}, dir: "i"})
	}
	return o
}

func equal(what, got, want string) error {
	if got != want {
		return fmt.Errorf("%s: %s, not %s", what, excerpt(got), excerpt(want))
	}
	return nil
}

// snapshot returns the sums of the files in a directory.
func (r *room) snapshot(dir string) map[string]string {
	sums := map[string]string{}
	for _, name := range r.names(dir) {
		sums[name] = sum(r.read(dir + "/" + name))
	}
	return sums
}

func changedFiles(before, after map[string]string) (err error) {
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if after[name] != before[name] {
			err = errors.Join(err, fmt.Errorf("%q has been changed or removed", name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if before[name] == "" {
			err = errors.Join(err, fmt.Errorf("%q has been made", name))
		}
	}
	return err
}
