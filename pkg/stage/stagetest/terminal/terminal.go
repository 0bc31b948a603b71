// Package terminal runs a program on a pseudo-terminal, so that a test can press keys and read the
// screen.
package terminal

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/creack/pty"
	"github.com/hinshun/vt10x"
)

// A Terminal is a program on a pseudo-terminal, with an emulator of the screen.
type Terminal struct {
	t     *testing.T
	cmd   *exec.Cmd
	tty   *os.File
	vt    vt10x.Terminal
	drawn chan struct{}   // receives a value when the screen is updated
	ended chan struct{}   // closed after the last update of the screen
	out   strings.Builder // standard output of the program

	mu  sync.Mutex
	raw bytes.Buffer // all output to the terminal
}

// Start starts a program with a new controlling terminal of the given size. Its standard input and
// standard output are not the terminal, so the program must open the terminal as /dev/tty.
func Start(t *testing.T, width, height int, stdin string, cmd *exec.Cmd) *Terminal {
	t.Helper()
	x := &Terminal{t: t, cmd: cmd, vt: vt10x.New(vt10x.WithSize(width, height)), drawn: make(chan struct{}, 1), ended: make(chan struct{})}
	cmd.Env = append(cmd.Env, "TERM=xterm-256color", "NO_COLOR=1")
	cmd.Stdin, cmd.Stdout = strings.NewReader(stdin), &x.out
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer slave.Close()
	x.tty = master
	x.resize(width, height)
	cmd.Stderr = slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 2}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(x.ended)
		buf := make([]byte, 1<<16)
		for {
			n, err := x.tty.Read(buf)
			x.vt.Write(buf[:n])
			x.mu.Lock()
			x.raw.Write(buf[:n])
			x.mu.Unlock()
			select {
			case x.drawn <- struct{}{}:
			default:
			}
			if err != nil {
				return
			}
		}
	}()
	return x
}

// Resized changes the size of the terminal and waits until the screen shows a given text. It sends
// SIGWINCH repeatedly, because the program may draw before it handles signals.
func (x *Terminal) Resized(width, height int, until string) {
	x.t.Helper()
	x.resize(width, height)
	for !strings.Contains(x.Screen(), until) {
		select {
		case <-x.drawn:
		case <-x.ended:
			x.t.Fatalf("it ended without showing %q, but\n%s", until, x.Screen())
		default:
			x.Signal(syscall.SIGWINCH)
		}
	}
}

func (x *Terminal) resize(width, height int) {
	x.vt.Resize(width, height)
	if err := pty.Setsize(x.tty, &pty.Winsize{Rows: uint16(height), Cols: uint16(width)}); err != nil {
		x.t.Fatal(err)
	}
}

// Raw returns all output of the program to the terminal, with escape sequences.
func (x *Terminal) Raw() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.raw.String()
}

// Screen returns the text on the screen, without trailing blanks.
func (x *Terminal) Screen() string {
	var b strings.Builder
	for line := range strings.Lines(x.vt.String() + "\n") {
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// Restored reports whether the terminal shows the main screen and the cursor, as before the start
// of the program.
func (x *Terminal) Restored() bool {
	return x.vt.Mode()&vt10x.ModeAltScreen == 0 && x.vt.CursorVisible()
}

// Wait waits until the screen shows a text. The test fails if the program ends before that.
func (x *Terminal) Wait(text string) {
	x.t.Helper()
	for !strings.Contains(x.Screen(), text) {
		select {
		case <-x.drawn:
		case <-x.ended:
			x.t.Fatalf("it ended without showing %q, but\n%s", text, x.Screen())
		}
	}
}

// Press types keys and waits until the screen shows a text.
func (x *Terminal) Press(keys, until string) {
	x.t.Helper()
	if _, err := x.tty.WriteString(keys); err != nil {
		x.t.Fatal(err)
	}
	x.Wait(until)
}

// Signal sends a signal to the program.
func (x *Terminal) Signal(s os.Signal) {
	x.t.Helper()
	if err := x.cmd.Process.Signal(s); err != nil {
		x.t.Fatal(err)
	}
}

// End waits until the program ends, and returns its standard output and its exit status, or -1 if a
// signal ended the program.
func (x *Terminal) End() (stdout string, status int) {
	x.cmd.Wait()
	<-x.ended
	x.tty.Close()
	return x.out.String(), x.cmd.ProcessState.ExitCode()
}
