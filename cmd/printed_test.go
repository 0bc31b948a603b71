package cmd_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// printed lists command lines of doppel, beside those of TestEveryOption: other commands, standard
// input, and several options. They read the inputs created by the function outcome, and must not
// write to these inputs.
var printed = []string{
	"fuzzy",
	"fuzzy -",
	"fuzzy -H a.jsonl b.jsonl --removed r",
	"fuzzy --id id --removed r --decisions d --groups g.jsonl -o o a.jsonl",
	"fuzzy --rank id:desc --keep none --counts --decisions d a.jsonl",
	"fuzzy --bands 20 --rows 5 --slots 100 --seed 3 --hot 2 -j 3 --mem 1M a.jsonl",
	"fuzzy --scores s --report page.html --by length a.jsonl",
	"fuzzy --against a.jsonl --save s b.jsonl",
	"fuzzy --against a.jsonl --only-against --removed r",
	"fuzzy --save s",
	"fuzzy --split blank --least 30 --removed r a.jsonl",
	"cut --scores scores --rank longest --decisions d",
	"groups --json -n 2 --width 9 -o o",
	"exact --field text --count",
	"exact --field text -d -o o --save s a.jsonl",
	"exact --removed r --report page.html a.jsonl",
	"passages --length w9 --removed r --report page.html -o o a.jsonl",
	"passages --length 40 --against b.jsonl a.jsonl",
	"shared -s 40 tree",
	"shared --scores -t .1 --json -o o tree",
	"text tree/one tree/two",
	"text -e -r 1 tree/one tree/two",
	"filter a.jsonl",
	"filter --report page.html -o o a.jsonl",
	"pipeline -c steps.yaml a.jsonl",
	"pipeline -c steps.yaml",
}

// TestPrinted compares a command with the shell text that it prints with --print: both must
// write the same bytes to standard output and to every file.
func TestPrinted(t *testing.T) {
	articles := read(t, "../testdata/docs/articles.jsonl")
	for _, line := range printed {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			ran, shown := outcome(t, articles, "doppel "+line, false), outcome(t, articles, "doppel "+line, true)
			if d := cmp.Diff(ran, shown); d != "" || len(ran) == 0 {
				t.Errorf("run and printed: %s", d)
			}
		})
	}
}

// outcome runs a command or, if printed is set, the shell text that the command prints with
// --print, in a new directory with inputs. It returns standard output and the contents of
// the files in that directory, as a map with their names as keys.
func outcome(t *testing.T, articles, line string, printed bool) map[string]string {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	lines := strings.SplitAfter(articles, "\n")
	write("a.jsonl", articles)
	write("b.jsonl", strings.Join(lines[3:12], "")+strings.Replace(lines[0], "the", "a", 3))
	write("steps.yaml", "deduplication: {exact: {}, fuzzy: {threshold: .7}}\nfilters: {quality: {preset: default}}\n")
	for name, text := range map[string]string{"one": articles[:3000], "two": articles[500:2500], "three": "alone"} {
		os.MkdirAll(filepath.Join(dir, "tree"), 0o700)
		write(filepath.Join("tree", name), text)
	}
	sh := func(text, stdin string) string {
		c := command("doppel")
		c.Path, c.Args, c.Dir = "/bin/sh", []string{"sh", "-c", text}, dir
		r := run(c, stdin)
		if r.status != 0 {
			t.Fatalf("%s: %d, %s", text, r.status, r.stderr)
		}
		return r.stdout
	}
	sh("reccat -o a.jsonl.gz a.jsonl && reccat -o b.jsonl.zst b.jsonl && reccat -o a.parquet a.jsonl && doppel fuzzy --stats none --scores scores a.jsonl > a.clean", "")
	if printed {
		line = sh(line+" --print", "")
	}
	all := map[string]string{"standard output": sh(line, articles)}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !e.IsDir() {
			all[e.Name()] = read(t, filepath.Join(dir, e.Name()))
		}
	}
	return all
}
