package dupreview_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"
	"github.com/google/go-cmp/cmp"
	"github.com/hinshun/vt10x"
)

var update = flag.Bool("update", false, "rewrite the screens in testdata")

// A terminal is the tool on a pseudo-terminal, and what that shows.
type terminal struct {
	t     *testing.T
	cmd   *exec.Cmd
	tty   *os.File
	vt    vt10x.Terminal
	drawn chan struct{} // something was drawn
	ended chan struct{} // nothing more will be
	out   *strings.Builder
}

// open starts the tool with a terminal of its own, pairs on standard input.
func open(t *testing.T, width, height int, pairs string, args ...string) *terminal {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	x := &terminal{t: t, cmd: exec.Command(self, args...), vt: vt10x.New(vt10x.WithSize(width, height)),
		drawn: make(chan struct{}, 1), ended: make(chan struct{}), out: &strings.Builder{}}
	x.cmd.Env = append(os.Environ(), asTool+"=1", "TERM=xterm-256color", "NO_COLOR=1")
	x.cmd.Stdin, x.cmd.Stdout = strings.NewReader(pairs), x.out
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	x.tty = master
	if err := pty.Setsize(master, &pty.Winsize{Rows: uint16(height), Cols: uint16(width)}); err != nil {
		t.Fatal(err)
	}
	// The terminal is the controlling one, which the tool opens by itself: neither its
	// standard input nor its output is one.
	x.cmd.Stderr = slave
	x.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 2}
	if err := x.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	slave.Close()
	go x.read()
	return x
}

func (x *terminal) read() {
	defer close(x.ended)
	buf := make([]byte, 1<<16)
	for {
		n, err := x.tty.Read(buf)
		x.vt.Write(buf[:n])
		select {
		case x.drawn <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

// screen returns what is shown, without blanks at the ends.
func (x *terminal) screen() string {
	var b strings.Builder
	for line := range strings.Lines(x.vt.String() + "\n") {
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// wait waits until the screen shows a text.
func (x *terminal) wait(text string) {
	x.t.Helper()
	for !strings.Contains(x.screen(), text) {
		select {
		case <-x.drawn:
		case <-x.ended:
			x.t.Fatalf("it ended without showing %q, but\n%s", text, x.screen())
		}
	}
}

// press types keys, and waits until the screen shows a text.
func (x *terminal) press(keys, until string) {
	x.t.Helper()
	if _, err := x.tty.WriteString(keys); err != nil {
		x.t.Fatal(err)
	}
	x.wait(until)
}

// end waits for the end of the tool, and returns what it wrote.
func (x *terminal) end() (stdout string, err error) {
	err = x.cmd.Wait()
	<-x.ended
	x.tty.Close()
	return x.out.String(), err
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

func TestTerminal(t *testing.T) {
	for _, size := range []struct{ width, height int }{{80, 24}, {200, 50}} {
		x := open(t, size.width, size.height, pairs, "--records", articles)
		x.wait("a b keep")
		x.wait("pair 1 of 4")
		x.wait("equal rows")
		golden(t, fmt.Sprintf("pty-%dx%d", size.width, size.height), x.screen())
		x.press("a", "pair 2 of 4")
		x.press("2", "pair 3 of 4")
		x.press("p", "pair 2 of 4")
		x.press("u", "undone")
		x.press("q", "")
		if out, err := x.end(); err != nil || out != "drop\t12\t0\t0.9683\tsame\n" {
			t.Errorf("%q, %v", out, err)
		}
	}
}

// A kill after any key loses no decision, and the next run goes on behind it.
func TestKilled(t *testing.T) {
	file := filepath.Join(t.TempDir(), "decisions")
	want := []string{"drop\t12\t0\t0.9683\tsame\n", "drop\t1\t9\t0.6435\tsame\n", "keep\t20\t3\t0.8777\tdistinct\n"}
	for i, key := range []string{"a", "b", "2"} {
		x := open(t, 80, 24, pairs, "--records", articles, "-o", file)
		x.wait(fmt.Sprintf("pair %d of 4", i+1))
		x.press(key, fmt.Sprintf("pair %d of 4", i+2))
		if err := x.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		x.end()
		got, err := os.ReadFile(file)
		if d := cmp.Diff(strings.Join(want[:i+1], ""), string(got)); err != nil || d != "" {
			t.Errorf("after %d kills: %v\n%s", i+1, err, d)
		}
	}
}

// A signal gives the terminal back, and what was decided is not lost.
func TestTerminated(t *testing.T) {
	file := filepath.Join(t.TempDir(), "decisions")
	x := open(t, 80, 24, pairs, "--records", articles, "-o", file)
	x.wait("pair 1 of 4")
	x.press("a", "pair 2 of 4")
	if err := x.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if _, err := x.end(); err != nil && x.cmd.ProcessState.ExitCode() != 2 {
		t.Errorf("%v", x.cmd.ProcessState)
	}
	if x.vt.Mode()&vt10x.ModeAltScreen != 0 || !x.vt.CursorVisible() {
		t.Error("the terminal is not as it was")
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != "drop\t12\t0\t0.9683\tsame\n" {
		t.Errorf("%q, %v", got, err)
	}
}

// The screen follows the terminal's size.
func TestResized(t *testing.T) {
	x := open(t, 80, 24, pairs, "--records", articles)
	x.wait("u undo")
	x.vt.Resize(40, 12)
	if err := pty.Setsize(x.tty, &pty.Winsize{Rows: 12, Cols: 40}); err != nil {
		t.Fatal(err)
	}
	x.wait("a b keep 2 both 0 none s u / = ? q")
	x.press("q", "")
	if _, err := x.end(); err != nil {
		t.Error(err)
	}
}
