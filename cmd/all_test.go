// Package cmd_test holds what is promised of every tool. It builds all
// commands, and whatever stands under cmd/ is covered from the moment that it
// exists: its flags are compared with its man page, its example is run in all
// the ways that a shell can run it, and so are its scripts.
//
// Each tool has, in its testdata, an "example": its first line is arguments,
// the rest is standard input, and it runs in testdata/docs. It must write
// something and succeed.
package cmd_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var (
	bin   string   // where the tools are
	tools []string // their names
)

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "doppel-bin")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		bin = dir
		if out, err := exec.Command("go", "build", "-o", bin, "./...").CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
			return 1
		}
		mains, _ := filepath.Glob("*/main.go")
		for _, name := range mains {
			tools = append(tools, filepath.Dir(name))
		}
		return m.Run()
	}())
}

// eachTool runs a subtest for every tool.
func eachTool(t *testing.T, test func(t *testing.T, name string)) {
	for _, name := range tools {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, name)
		})
	}
}

// toolPath returns PATH with the tools in front.
func toolPath() string { return "PATH=" + bin + ":" + os.Getenv("PATH") }

// A ran is what a finished command left.
type ran struct {
	status         int // -1: ended by a signal
	stdout, stderr string
}

// command returns a tool that is to run in testdata/docs.
func command(name string, args ...string) *exec.Cmd {
	c := exec.Command(filepath.Join(bin, name), args...)
	c.Dir, c.Env = "../testdata/docs", append(os.Environ(), toolPath())
	return c
}

// run runs a tool with the input given.
func run(c *exec.Cmd, stdin string) ran {
	var stdout, stderr bytes.Buffer
	c.Stdin, c.Stderr = strings.NewReader(stdin), &stderr
	if c.Stdout == nil {
		c.Stdout = &stdout
	}
	c.Run()
	return ran{c.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// home returns the directory of the package that a tool's program is.
func home(name string) string {
	if name == "doppel" {
		return "../pkg/front"
	}
	return "../pkg/stage/" + name
}

// example returns the arguments and the input of a tool's example.
func example(t *testing.T, name string) (args []string, stdin string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(home(name), "testdata", "example"))
	if err != nil {
		t.Fatalf("every tool has an example: %v", err)
	}
	first, stdin, _ := strings.Cut(string(text), "\n")
	return strings.Fields(first), stdin
}

// flag returns the line of the tool's flag table for a long name, or "".
func flag(t *testing.T, name, long string) string {
	t.Helper()
	for line := range strings.Lines(run(command(name, "--flags"), "").stdout) {
		if strings.HasPrefix(line, long+"\t") {
			return line
		}
	}
	return ""
}
