package cmd_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// TestHelp checks that --help, -h and --version write to standard output and exit with
// status 0.
func TestHelp(t *testing.T) {
	eachTool(t, func(t *testing.T, name string) {
		for _, f := range []string{"--help", "-h"} {
			r := run(command(name, f), "")
			if r.status != 0 || r.stderr != "" || !strings.HasPrefix(r.stdout, "usage: "+name+" ") || !strings.Contains(r.stdout, "See "+name+"(1).") {
				t.Errorf("%s: %+v", f, r)
			}
		}
		built := regexp.MustCompile(`^` + name + ` \S+ \((commit \S+, )?` + regexp.QuoteMeta(runtime.Version()+", "+runtime.GOOS+"/"+runtime.GOARCH) + `\)\n$`)
		if r := run(command(name, "--version"), ""); r.status != 0 || !built.MatchString(r.stdout) {
			t.Errorf("--version: %+v", r)
		}
	})
}

// TestTrouble checks that after an unknown flag, an invalid value or a missing input, a tool
// exits with status 2, writes nothing to standard output, and prints a message that starts
// with the tool's name.
func TestTrouble(t *testing.T) {
	eachTool(t, func(t *testing.T, name string) {
		for _, args := range [][]string{{"--no-such-flag"}, {"-j", "-1"}, {"/no/such/input"}} {
			r := run(command(name, args...), "")
			if r.status != 2 || r.stdout != "" || !strings.HasPrefix(r.stderr, name+": ") {
				t.Errorf("%v: %+v", args, r)
			}
		}
	})
}

var message = regexp.MustCompile(`^[a-z]+: [^A-Z\n][^\n]*[^.\n]\n`)

// TestMessages checks that the message about an unknown flag is one line that starts in
// lower case and has no full stop, followed by a hint.
func TestMessages(t *testing.T) {
	eachTool(t, func(t *testing.T, name string) {
		if r := run(command(name, "--no-such-flag"), ""); !message.MatchString(r.stderr) || !strings.HasSuffix(r.stderr, ": hint: try '"+name+" --help'\n") {
			t.Errorf("stderr %q", r.stderr)
		}
	})
}

// TestExample checks that the example succeeds, writes something, and writes the same output
// when it is run again.
func TestExample(t *testing.T) {
	eachTool(t, func(t *testing.T, name string) {
		args, stdin := example(t, name)
		first := run(command(name, args...), stdin)
		if first.status != 0 || first.stdout == "" {
			t.Fatalf("%v: %+v", args, first)
		}
		if again := run(command(name, args...), stdin); again.stdout != first.stdout {
			t.Errorf("a second run differs:\n%s%s", first.stdout, again.stdout)
		}
	})
}

// TestFullDisk checks that a tool reports a full disk, even if only the final flush of its
// output fails.
func TestFullDisk(t *testing.T) {
	eachTool(t, func(t *testing.T, name string) {
		args, stdin := example(t, name)
		for _, args := range [][]string{{"--help"}, args} {
			full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer full.Close()
			c := command(name, args...)
			c.Stdout = full
			if r := run(c, stdin); r.status != 2 || !fromTool(r.stderr, name) || !strings.Contains(r.stderr, "no space left on device") {
				t.Errorf("%v: %+v", args, r)
			}
		}
	})
}

// fromTool reports whether a message starts with the tool's name or, for doppel, with the name of
// one of its commands.
func fromTool(stderr, name string) bool {
	from, _, _ := strings.Cut(stderr, ":")
	return from == name || name == "doppel" && strings.HasPrefix(from, "doppel ")
}

// TestClosedPipe checks that SIGPIPE ends a tool whose standard output is a closed pipe, and that
// the tool prints no message.
func TestClosedPipe(t *testing.T) {
	eachTool(t, func(t *testing.T, name string) {
		args, stdin := example(t, name)
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		defer w.Close()
		c := command(name, args...)
		c.Stdout = w
		got := run(c, stdin)
		status := c.ProcessState.Sys().(syscall.WaitStatus)
		if got.stderr != "" || !status.Signaled() || status.Signal() != syscall.SIGPIPE {
			t.Errorf("%+v, %v", got, c.ProcessState)
		}
	})
}

// TestSignals checks that a signal that ends a run leaves no output and no message.
func TestSignals(t *testing.T) {
	for s, want := range map[syscall.Signal]int{syscall.SIGQUIT: 128 + int(syscall.SIGQUIT), syscall.SIGTERM: -1} {
		dir := t.TempDir()
		c := command("reccat", "--lines", "-o", "out", "fifo")
		c.Dir = dir
		var stderr strings.Builder
		c.Stderr = &stderr
		if err := syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		fifo, err := os.OpenFile(filepath.Join(dir, "fifo"), os.O_WRONLY, 0) // waits until the tool opens it
		if err != nil {
			t.Fatal(err)
		}
		defer fifo.Close()
		c.Process.Signal(s)
		c.Wait()
		left, err := os.ReadDir(dir)
		if c.ProcessState.ExitCode() != want || stderr.String() != "" || err != nil || len(left) != 1 {
			t.Errorf("%v: %v, %v, %v, %q", s, c.ProcessState, left, err, stderr.String())
		}
	}
}

var columnNames = regexp.MustCompile(`^[a-z0-9_.A-Z]+(\t[a-z0-9_.A-Z]+)*\n$`)

// TestHeader checks that --header adds a first line with one name for each column and
// changes nothing else.
func TestHeader(t *testing.T) {
	eachTool(t, func(t *testing.T, name string) {
		if flag(t, name, "header") == "" {
			return
		}
		args, stdin := example(t, name)
		plain := run(command(name, args...), stdin).stdout
		named := run(command(name, append([]string{"--header"}, args...)...), stdin)
		header, rest, _ := strings.Cut(named.stdout, "\n")
		first, _, _ := strings.Cut(plain, "\n")
		if !columnNames.MatchString(header+"\n") || rest != plain || strings.Count(header, "\t") != strings.Count(first, "\t") {
			t.Errorf("%q, %q: %s", header, first, named.stderr)
		}
	})
}

// TestColumnsHaveNames checks that every tool with --json has --header.
func TestColumnsHaveNames(t *testing.T) {
	eachTool(t, func(t *testing.T, name string) {
		if flag(t, name, "json") != "" && flag(t, name, "header") == "" {
			t.Errorf("%s has --json and no --header", name)
		}
	})
}

// TestOutputFile checks that a file written with -o has the bytes that the tool writes to
// standard output. It also checks that no temporary file is left, that a full device and a missing
// directory are errors, and that a symbolic link is not replaced.
func TestOutputFile(t *testing.T) {
	eachTool(t, func(t *testing.T, name string) {
		if flag(t, name, "output") == "" {
			return
		}
		args, stdin := example(t, name)
		want := run(command(name, args...), stdin).stdout
		dir := t.TempDir()
		file := filepath.Join(dir, "out")
		to := func(path string) result { return run(command(name, append([]string{"-o", path}, args...)...), stdin) }
		if r := to(file); r.status != 0 || r.stdout != "" {
			t.Errorf("%+v", r)
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != want {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
		if left, _ := os.ReadDir(dir); len(left) != 1 {
			t.Errorf("left over: %v", left)
		}
		if r := to("/dev/full"); r.status != 2 {
			t.Errorf("/dev/full: %+v", r)
		}
		if r := to(filepath.Join(dir, "none", "out")); r.status != 2 || r.stdout != "" {
			t.Errorf("a directory that does not exist: %+v", r)
		}
		link := filepath.Join(dir, "link")
		if err := os.Symlink(file, link); err != nil {
			t.Fatal(err)
		}
		if to(link); !isLink(link) {
			t.Error("a link was replaced")
		}
	})
}

func isLink(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && info.Mode()&os.ModeSymlink != 0
}

// TestJSON checks that with --json every line of the output is a JSON object.
func TestJSON(t *testing.T) {
	eachTool(t, func(t *testing.T, name string) {
		if flag(t, name, "json") == "" {
			return
		}
		args, stdin := example(t, name)
		r := run(command(name, append([]string{"--json"}, args...)...), stdin)
		if r.status != 0 || r.stdout == "" {
			t.Errorf("%+v", r)
		}
		for line := range strings.Lines(r.stdout) {
			if err := json.Unmarshal([]byte(line), &map[string]any{}); err != nil {
				t.Errorf("%s: %v", line, err)
			}
		}
	})
}
