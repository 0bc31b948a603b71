package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestRun makes a history of two files and a binary one.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		c := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=n", "-c", "user.email=e"}, args...)...)
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q")
	for _, text := range []string{"one", "two <&>", "", "\xff", "one"} {
		for _, name := range []string{"a.txt", "b.md"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text+name), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		git("add", ".")
		git("commit", "-q", "-m", "change")
	}
	var out strings.Builder
	if err := run(&out, dir, history, []string{"*.txt"}); err != nil {
		t.Fatal(err)
	}
	got := out.String()
	for _, want := range []string{`"path":"a.txt","text":"onea.txt"}`, `"text":"two <&>a.txt"}`, `"text":"a.txt"}`} {
		if strings.Count(got, want) != 1 {
			t.Errorf("%q is not there once:\n%s", want, got)
		}
	}
	if n := strings.Count(got, "\n"); n != 3 {
		t.Errorf("%d lines, want 3:\n%s", n, got)
	}
	out.Reset()
	if err := run(&out, dir, latest, nil); err != nil || strings.Count(out.String(), "\n") != 2 || !strings.Contains(out.String(), `"text":"oneb.md"}`) {
		t.Errorf("the last commit has %s, %v", out.String(), err)
	}
	out.Reset()
	if err := run(&out, dir, history, []string{"*.none"}); err != nil || out.String() != "" {
		t.Errorf("of no file: %s, %v", out.String(), err)
	}
	if err := run(&out, dir+"/none", history, nil); err == nil {
		t.Error("no repository is no error")
	}
}
