//go:build linux

package main

import (
	"fmt"
	"strings"
	"time"
)

// names are unusual file names. A name may contain any byte except / and NUL.
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

// ways lists the ways to pass an input that can be read only once.
var ways = []struct{ name, before, operand string }{
	{"stdin", "cat few.jsonl | ", "-"},
	{"stdin-file", "", "- < few.jsonl"},
	{"process", "", "<(cat few.jsonl)"},
	{"dev-stdin", "cat few.jsonl | ", "/dev/stdin"},
	{"dev-stdin-file", "", "/dev/stdin < few.jsonl"},
	{"dev-fd-file", "", "/dev/fd/3 3< few.jsonl"},
	{"dev-fd-pipe", "", "/dev/fd/3 3< <(cat few.jsonl)"},
	{"dev-fd-9", "", "/dev/fd/9 9< <(cat few.jsonl)"},
	{"proc-fd", "", "/proc/self/fd/3 3< <(cat few.jsonl)"},
	{"fifo", "mkfifo ../o/fifo; cat few.jsonl > ../o/fifo & ", "../o/fifo"},
}

// places lists the positions of the operand among other files.
var places = []struct{ name, operands string }{{"alone", "%s"}, {"first", "n1 %s"}, {"last", "%s n1"}, {"between", "n1 %s uniq.jsonl"}}

// addOperands adds cases with each name as a dataset, a directory and an output, and with each
// way to pass an input that can be read only once.
func addOperands(p *plan) {
	compare := func(want, got, name string) func(s *sandbox) error {
		return func(s *sandbox) error {
			s.copyInputs("few.jsonl", "n1", "uniq.jsonl", "decisions", "clean", "pairs", "scored", "steps.yaml", "filters.yaml", "fuzzy.yaml", "tree")
			return sameOutput(s, inDirectory(want), inDirectory(got), "N="+name)
		}
	}
	for _, c := range scripts("operand") {
		with := func(before, operands string) string {
			return "run() { " + c.text + "; }; " + before + "run " + operands
		}
		for i, name := range names {
			if c.subject == "tree" {
				p.add(compare(with("", "tree | grep -c ''"), with(`mv -- tree "$N"; `, `"$N" | grep -c ''`), name), "operand/tree/%s/%02d", c.name, i)
			} else {
				p.add(compare(with("", "few.jsonl"), with(`mv -- few.jsonl "$N"; `, `"$N"`), name), "operand/name/%s/%02d", c.name, i)
			}
		}
		for _, w := range ways {
			if c.subject != "once" && !(c.subject == "printed" && w.name == "stdin") {
				continue // the tool reads its input twice, or the printed commands run after the descriptor is closed
			}
			for _, place := range places {
				want, got := fmt.Sprintf(place.operands, "few.jsonl"), fmt.Sprintf(place.operands, w.operand)
				p.add(compare(with("", want), with(w.before, got), ""), "operand/once/%s/%s/%s", c.name, w.name, place.name)
			}
		}
	}
	for i, name := range names {
		if strings.HasSuffix(name, ".gz") || strings.HasSuffix(name, ".parquet") {
			continue // the suffix would select a format for the output
		}
		for _, args := range []string{"recuniq", "doppel fuzzy --stats none", "doppel exact --stats none", "keepdrop --decisions decisions"} {
			got := args + ` --output="$N" few.jsonl && cat -- "./$N" && rm -- "./$N"` // with "=", because the name may begin with "-"
			p.add(compare(args+" few.jsonl", got, name), "operand/output/%s/%02d", strings.ReplaceAll(args, " ", "_"), i)
		}
	}
}

// inDirectory returns a script that runs the given script in the directory i, after writing the
// files victim, a and b there. It fails with status 3 if the given script changes these files or
// the number of files in the directory.
func inDirectory(script string) string {
	return "cd i; echo old | tee victim a > b; n=$(ls -Aq | wc -l); " + script +
		`; s=$?; [ "$(echo $(cat victim a b))" = "old old old" ] && [ $(ls -Aq | wc -l) = $n ] && exit $s; echo 'other files are changed' >&2; exit 3`
}

// sameOutput returns an error unless the two scripts succeed and write the same output.
func sameOutput(s *sandbox, want, got string, env ...string) error {
	run := func(script string) outcome {
		return s.run(command{args: []string{"bash", "-c", "set -o pipefail; " + script}, env: env, limit: 30 * time.Second})
	}
	w := run(want)
	if w.status != 0 || w.stdout == "" {
		return fmt.Errorf("undisturbed: status %d, output %s: %s", w.status, excerpt(w.stdout), firstLines(w.stderr, 2))
	}
	return run(got).wants(0, w.stdout)
}
