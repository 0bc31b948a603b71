// Package cmd_test tests the promises common to all tools. It builds all commands. Every
// tool under cmd/ is covered as soon as it exists: its flags are compared with its man
// page, and its example and its scripts are run in all the ways that a shell can run them.
//
// Each tool has a file "example" in its testdata: the first line has the arguments, the
// rest is standard input, and it runs in testdata/docs. It must succeed and write
// something.
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
	bin   string   // directory of the tools
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

// A ran is the result of a finished command.
type ran struct {
	status         int // -1: ended by a signal
	stdout, stderr string
}

// command returns a command that runs a tool in testdata/docs.
func command(name string, args ...string) *exec.Cmd {
	c := exec.Command(filepath.Join(bin, name), args...)
	c.Dir, c.Env = "../testdata/docs", append(os.Environ(), toolPath())
	return c
}

// run runs a tool with stdin as its standard input.
func run(c *exec.Cmd, stdin string) ran {
	var stdout, stderr bytes.Buffer
	c.Stdin, c.Stderr = strings.NewReader(stdin), &stderr
	if c.Stdout == nil {
		c.Stdout = &stdout
	}
	c.Run()
	return ran{c.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// home returns the directory of a tool's package.
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
