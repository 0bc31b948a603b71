package cmd_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// alone returns a directory that contains only doppel and, for each name in links, a symbolic
// link of that name to doppel.
func alone(t *testing.T, links ...string) string {
	t.Helper()
	dir := t.TempDir()
	must(t, os.Link(filepath.Join(bin, "doppel"), filepath.Join(dir, "doppel")))
	for _, name := range links {
		if name == "doppel" {
			continue
		}
		must(t, os.Symlink("doppel", filepath.Join(dir, name)))
	}
	return dir
}

// from returns a command that runs a program in dir, with dir as the only directory in its PATH.
func from(dir, name string, args ...string) *exec.Cmd {
	c := command(name, args...)
	c.Path, c.Env = filepath.Join(dir, name), []string{"PATH=" + dir, "TMPDIR=" + os.TempDir()}
	return c
}

// TestOneBinary checks that the binary doppel acts as any tool if it is called through a
// link with the tool's name, or with that name as its first argument.
func TestOneBinary(t *testing.T) {
	dir := alone(t, tools...)
	for _, name := range tools {
		if name == "doppel" {
			continue
		}
		args, stdin := example(t, name)
		want := run(command(name, args...), stdin)
		for _, c := range []*exec.Cmd{from(dir, name, args...), from(dir, "doppel", append([]string{name}, args...)...)} {
			if got := run(c, stdin); got != want {
				t.Errorf("%v: %+v, want %+v", c.Args, got, want)
			}
		}
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
