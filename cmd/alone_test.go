package cmd_test

import (
	"os"
	"os/exec"
	"path/filepath"
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
