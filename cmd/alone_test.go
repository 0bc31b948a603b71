package cmd_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// alone returns a directory that contains only doppel.
func alone(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	must(t, os.Link(filepath.Join(bin, "doppel"), filepath.Join(dir, "doppel")))
	return dir
}

// from returns a command that runs a program in dir, with dir as the only directory in its PATH.
func from(dir, name string, args ...string) *exec.Cmd {
	c := command(name, args...)
	c.Path, c.Env = filepath.Join(dir, name), []string{"PATH=" + dir, "TMPDIR=" + os.TempDir()}
	return c
}

// TestOneBinary checks that the binary doppel acts as any tool if it is called with the tool's name
// as its first argument, as it does if it is called through a link with that name.
func TestOneBinary(t *testing.T) {
	dir := alone(t)
	for _, name := range tools {
		if name == "doppel" {
			continue
		}
		args, stdin := example(t, name)
		want := run(command(name, args...), stdin)
		if got := run(from(dir, "doppel", append([]string{name}, args...)...), stdin); got != want {
			t.Errorf("doppel %s %q: %+v, want %+v", name, args, got, want)
		}
	}
}

// TestPrograms checks that the programs of the tools differ only in the name of the tool, and that
// one of them does the same as doppel under its name.
func TestPrograms(t *testing.T) {
	const program = "recsign"
	main := func(name string) string {
		text, err := os.ReadFile(filepath.Join(name, "main.go"))
		must(t, err)
		title := func(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
		return strings.ReplaceAll(strings.ReplaceAll(string(text), name, program), title(name), title(program))
	}
	for _, name := range tools {
		if got, want := main(name), main(program); name != "doppel" && got != want {
			t.Errorf("%s/main.go: %s\nwant\n%s", name, got, want)
		}
	}
	dir := t.TempDir()
	if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", dir, "./"+program).CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	args, stdin := example(t, program)
	want := run(command(program, args...), stdin)
	if got := run(from(dir, program, args...), stdin); got != want || got.stdout == "" {
		t.Errorf("%s: %+v, want %+v", program, got, want)
	}
}

// TestChainOfOneBinary checks that doppel runs itself for each stage of a chain if no other
// tool is installed.
func TestChainOfOneBinary(t *testing.T) {
	dir := alone(t)
	for _, args := range [][]string{{"fuzzy", "articles.jsonl"}, {"pipeline", "-c", "filters.yaml", "articles.jsonl"}} {
		args = append(args, "--stats=none")
		want := run(command("doppel", args...), "")
		if got := run(from(dir, "doppel", args...), ""); got != want || got.stdout == "" {
			t.Errorf("%v: status %d, %s, %d bytes of %d", args, got.status, got.stderr, len(got.stdout), len(want.stdout))
		}
	}
	printed := run(from(dir, "doppel", "fuzzy", "--print", "x"), "").stdout
	if !strings.Contains(printed, "try "+filepath.Join(dir, "doppel")+" recsign x | ") {
		t.Errorf("printed: %s", printed)
	}
	for _, command := range []string{"fuzzy", "exact", "passages"} {
		printed := run(from(dir, "doppel", command, "--print=make", "--parts=2", "x"), "").stdout
		rest := strings.ReplaceAll(printed, filepath.Join(dir, "doppel")+" ", "doppel-")
		for text := range strings.Lines(rest) {
			for _, name := range tools {
				if strings.HasPrefix(text, "\t") && strings.Contains(text, " "+name+" ") {
					t.Errorf("%s: the recipe names %s, which is not installed: %s", command, name, text)
				}
			}
		}
		if !strings.Contains(rest, "doppel-recsign") {
			t.Errorf("%s prints: %s", command, printed)
		}
	}
}

// TestNamesOfOneBinary checks that, if only doppel is installed, no message or hint names another
// program, except as a command of doppel or as a page, and that no message names a flag that the
// command lacks.
func TestNamesOfOneBinary(t *testing.T) {
	dir, in := alone(t), filepath.Join(t.TempDir(), "in")
	must(t, os.CopyFS(in, os.DirFS(inPrepared(t))))
	must(t, os.WriteFile(filepath.Join(in, "log"), []byte("a line\n"), 0o600))
	must(t, os.WriteFile(filepath.Join(in, "table.csv"), []byte("text\na\n"), 0o600))
	named := regexp.MustCompile(`(doppel )?\b(` + strings.Join(slices.DeleteFunc(slices.Clone(tools), func(name string) bool { return name == "doppel" }), "|") + `)\b(\()?`)
	typed := regexp.MustCompile(`--([a-z][a-z-]+)`)
	for _, line := range []string{
		"fuzzy log", "fuzzy --field none r.jsonl", "fuzzy --field none --scores x r.jsonl", "fuzzy -k log", "fuzzy -k --scores x log",
		"fuzzy --rank none r.jsonl", "fuzzy --against log r.jsonl", "fuzzy --against none --scores x r.jsonl", "fuzzy --slots 0 r.jsonl", "fuzzy -j -1 r.jsonl",
		"fuzzy --print=make -k --parts 2 r.jsonl", "fuzzy --annotate table.csv", "fuzzy --expect 99 r.jsonl", "fuzzy --max-record 1 r.jsonl",
		"exact --field none r.jsonl", "exact --against log r.jsonl", "exact --split lines --lines log", "exact --rank none --field text r.jsonl",
		"passages --field none r.jsonl", "passages table.csv", "passages -o x.parquet table.csv", "passages --against log --length w3 r.jsonl",
		"cut --scores r.jsonl r.jsonl", "cut --scores d r.jsonl", "cut --scores s --rank none r.jsonl",
		"groups --list r.jsonl", "groups log", "audit --decisions r.jsonl -o kept.jsonl r.jsonl", "audit --decisions s -o kept.jsonl r.jsonl",
		"filter log", "filter -c steps.yaml r.jsonl", "pipeline -c steps.yaml log", "inspect none/x", "count log/x", "text names", "text t/a/1 none/x",
		"shared none/x", "shared --threshold 2 t", "measure log", "overlap --test log r.jsonl", "overlap --test o.jsonl log", "files --known r.jsonl t", "dirs none/x",
		"recsign log", "lshpairs r.jsonl", "dupgroup m", "keepdrop --decisions m r.jsonl", "jaccard --records r.jsonl m", "keypairs --part 1 keys", "lshpairs passage",
		"recsign --method none", "jaccgroup", "recuniq --treshold 1 r.jsonl",
	} {
		words := strings.Fields(line)
		c := from(dir, "doppel", words...)
		c.Dir = in
		got := run(c, "")
		if got.status != 2 {
			t.Errorf("%s: %+v", line, got)
		}
		if first, _, _ := strings.Cut(got.stderr, "\n"); strings.HasPrefix(first, "doppel ") {
			for _, f := range typed.FindAllStringSubmatch(first, -1) {
				if !slices.ContainsFunc(flagsOf("doppel "+words[0]), func(have []string) bool { return have[0] == f[1] }) {
					t.Errorf("%s: the command has no flag --%s: %s", line, f[1], first)
				}
			}
		}
		for message := range strings.Lines(got.stderr) {
			rest := strings.TrimPrefix(message, words[0]+": ")
			for _, m := range named.FindAllStringSubmatch(rest, -1) {
				if m[1] == "" && m[3] == "" && m[2] != words[0] {
					t.Errorf("%s names %s: %s", line, m[2], message)
				}
			}
		}
	}
}
