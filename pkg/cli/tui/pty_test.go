package tui_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"doppel/pkg/cli"
	"doppel/pkg/stage/stagetest/terminal"
	"doppel/pkg/tool"
)

// TestMain makes the test binary run as doppel if its first argument is not a flag, so that tests
// can run it as a process.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-") {
		os.Exit(cli.Run(tool.OS()))
	}
	os.Exit(m.Run())
}

// command returns a command that runs this test binary as doppel tui, in a directory with a
// dataset.
func command(t *testing.T) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../../../testdata/docs/articles.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "articles.jsonl"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self, "tui")
	c.Dir, c.Env = dir, append(os.Environ(), "TMPDIR="+dir)
	return c
}

// TestTerminal fills the form in a terminal and checks the output of the run.
func TestTerminal(t *testing.T) {
	c := command(t)
	x := terminal.Start(t, 80, 24, "", c)
	x.Wait("> [ ] articles.jsonl")
	x.Press("x", "$ doppel fuzzy --threshold=0.8 --field=text --output=articles.deduped.jsonl")
	x.Press("p", "22 records, 7 duplicates, 15 kept")
	x.Press("\r", "")
	stdout, status := x.End()
	if status != 0 || !x.Restored() || stdout != "" {
		t.Errorf("status %d, %q, or the terminal is not as it was", status, stdout)
	}
	got, err := os.ReadFile(filepath.Join(c.Dir, "articles.deduped.jsonl"))
	if n := strings.Count(string(got), "\n"); err != nil || n != 15 {
		t.Errorf("%d records, %v", n, err)
	}
	if left, _ := os.ReadDir(c.Dir); len(left) != 2 {
		t.Errorf("left over: %v", left)
	}
}

// colour matches escape sequences that set a colour.
var colour = regexp.MustCompile(`\x1b\[[0-9;]*\b[34][0-7]m`)

// TestTerminalEqual checks the job that compares the files of a directory, in a resized terminal
// without colours.
func TestTerminalEqual(t *testing.T) {
	c := command(t)
	if err := os.CopyFS(filepath.Join(c.Dir, "sub"), os.DirFS("../../../testdata/docs")); err != nil {
		t.Fatal(err)
	}
	c.Env = append(c.Env, "NO_COLOR=1")
	x := terminal.Start(t, 80, 24, "", c)
	x.Wait("> [ ] sub/")
	x.Resized(40, 12, "x choose  ↓ ↑ row")
	x.Press("x", "[x] sub/")
	x.Press("x", "[x] articles.jsonl")
	x.Press("kkkkk-", "$ doppel files --output=sub.equal.tsv")
	x.Press("p", "1 group of equal files, 1 copy")
	x.Press("\r", "")
	if _, status := x.End(); status != 0 || !x.Restored() {
		t.Errorf("status %d, or the terminal is not as it was", status)
	}
	if coloured := colour.FindString(x.Raw()); coloured != "" {
		t.Errorf("colours in spite of NO_COLOR: %q", coloured)
	}
	got, err := os.ReadFile(filepath.Join(c.Dir, "sub.equal.tsv"))
	if n := strings.Count(string(got), "\n"); err != nil || n != 2 {
		t.Errorf("%q, %v", got, err)
	}
}

func TestNoTerminal(t *testing.T) {
	c := command(t)
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	out, err := c.CombinedOutput()
	if err == nil || c.ProcessState.ExitCode() != 2 || !strings.HasPrefix(string(out), "doppel tui: no terminal for the screen and the keys\n") {
		t.Errorf("%v, %q", err, out)
	}
}
