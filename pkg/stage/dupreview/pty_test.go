package dupreview_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"doppel/pkg/stage/stagetest/terminal"
)

var update = flag.Bool("update", false, "rewrite the screens in testdata")

// command returns a command that runs this test binary as dupreview.
func command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self, args...)
	c.Env = append(os.Environ(), asTool+"=1")
	return c
}

func start(t *testing.T, width, height int, args ...string) *terminal.Terminal {
	t.Helper()
	return terminal.Start(t, width, height, pairs, command(t, append([]string{"--records", articles}, args...)...))
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	name = filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if d := cmp.Diff(string(want), got); err != nil || d != "" {
		t.Errorf("%s: %v\n%s", name, err, d)
	}
}

const articles = "../../../testdata/docs/articles.jsonl"

const pairs = "0\t12\t0.9683\n1\t9\t0.6435\n3\t20\t0.8777\n4\t7\t1.0000\n"

var colour = regexp.MustCompile(`\x1b\[[0-9;]*\b[34][0-7]m`)

func TestTerminal(t *testing.T) {
	for _, size := range []struct{ width, height int }{{80, 24}, {200, 50}} {
		x := start(t, size.width, size.height)
		x.Wait("a b keep")
		x.Wait("pair 1 of 4")
		x.Wait("equal rows")
		golden(t, fmt.Sprintf("pty-%dx%d", size.width, size.height), x.Screen())
		x.Press("a", "pair 2 of 4")
		x.Press("2", "pair 3 of 4")
		x.Press("p", "pair 2 of 4")
		x.Press("u", "undone")
		x.Press("q", "")
		if out, status := x.End(); status != 0 || out != "drop\t12\t0\t0.9683\tsame\n" {
			t.Errorf("%q, %d", out, status)
		}
		if c := colour.FindString(x.Raw()); c != "" || !x.Restored() {
			t.Errorf("colours in spite of NO_COLOR, %q, or the terminal is not as it was", c)
		}
	}
}

// TestKilled checks that no decision is lost if the process is killed after a key, and that the
// next run continues with the next pair.
func TestKilled(t *testing.T) {
	file := filepath.Join(t.TempDir(), "decisions")
	want := []string{"drop\t12\t0\t0.9683\tsame\n", "drop\t1\t9\t0.6435\tsame\n", "keep\t20\t3\t0.8777\tdistinct\n"}
	for i, key := range []string{"a", "b", "2"} {
		x := start(t, 80, 24, "-o", file)
		x.Wait(fmt.Sprintf("pair %d of 4", i+1))
		x.Press(key, fmt.Sprintf("pair %d of 4", i+2))
		x.Signal(os.Kill)
		x.End()
		got, err := os.ReadFile(file)
		if d := cmp.Diff(strings.Join(want[:i+1], ""), string(got)); err != nil || d != "" {
			t.Errorf("after %d kills: %v\n%s", i+1, err, d)
		}
	}
}

// TestTerminated checks that SIGTERM restores the terminal and that no decision is lost.
func TestTerminated(t *testing.T) {
	file := filepath.Join(t.TempDir(), "decisions")
	x := start(t, 80, 24, "-o", file)
	x.Wait("pair 1 of 4")
	x.Press("a", "pair 2 of 4")
	x.Signal(syscall.SIGTERM)
	x.End()
	if !x.Restored() {
		t.Error("the terminal is not as it was")
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != "drop\t12\t0\t0.9683\tsame\n" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestResized checks that the screen is redrawn if the size of the terminal changes.
func TestResized(t *testing.T) {
	x := start(t, 80, 24)
	x.Wait("u undo")
	x.Resized(40, 12, "a b keep 2 both 0 none s u / = ? q")
	x.Press("q", "")
	if _, status := x.End(); status != 0 {
		t.Error(status)
	}
}

// TestNoTerminal checks the error message if the process has no controlling terminal.
func TestNoTerminal(t *testing.T) {
	c := command(t, "--records", articles)
	c.Stdin = strings.NewReader(pairs)
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	out, err := c.CombinedOutput()
	want := "dupreview: no terminal for the screen and the keys\ndupreview: hint: run dupreview in a terminal, or give the keys with --keys\n"
	if err == nil || c.ProcessState.ExitCode() != 2 || string(out) != want {
		t.Errorf("%v, %q", err, out)
	}
}
