// Package cmd_test tests what all tools have in common. TestMain builds doppel, which acts as each
// tool that has a directory below cmd, so a new tool is covered without changes here. The tests
// compare the flags of each tool
// with its man page, and run the tool's example with -o and --json, on a full disk, into a
// closed pipe, and so on.
//
// Each tool has a file testdata/example in its package. The first line of the file contains
// the tool's arguments; the rest is its standard input. The tool runs in the directory
// testdata/docs of the repository, must succeed, and must write to standard output.
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
	bin   string   // directory of doppel and of a link to it for each other tool
	tools []string // names of the tools
)

func TestMain(m *testing.M) {
	if os.Getenv("TRIALS") != "" {
		runTrials()
		return
	}
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "doppel-bin")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		bin = dir
		os.Setenv("NOSYNC", "--no-sync") // for printed makefiles; the scripts of pkg/cli and pkg/dedup run them with syncing
		if out, err := exec.Command("go", "build", "-o", bin, "./doppel").CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
			return 1
		}
		mains, _ := filepath.Glob("*/main.go")
		for _, main := range mains {
			name := filepath.Dir(main)
			tools = append(tools, name)
			if name == "doppel" {
				continue
			}
			if err := os.Link(filepath.Join(bin, "doppel"), filepath.Join(bin, name)); err != nil {
				panic(err)
			}
		}
		return m.Run()
	}())
}

// eachTool runs test for every tool, in parallel subtests.
func eachTool(t *testing.T, test func(t *testing.T, name string)) {
	for _, name := range tools {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, name)
		})
	}
}

// toolPath returns an assignment to PATH, for a process environment, that puts the built
// tools first.
func toolPath() string { return "PATH=" + bin + ":" + os.Getenv("PATH") }

// A result is the exit status and the output of a command.
type result struct {
	status         int // exit status; -1 if a signal ended the command
	stdout, stderr string
}

// command returns a command that runs a tool in the directory testdata/docs.
func command(name string, args ...string) *exec.Cmd {
	c := exec.Command(filepath.Join(bin, name), args...)
	c.Dir, c.Env = "../testdata/docs", append(os.Environ(), toolPath())
	return c
}

// run runs c with the given standard input. It does not capture standard output if c.Stdout
// is set.
func run(c *exec.Cmd, stdin string) result {
	var stdout, stderr bytes.Buffer
	c.Stdin, c.Stderr = strings.NewReader(stdin), &stderr
	if c.Stdout == nil {
		c.Stdout = &stdout
	}
	c.Run()
	return result{c.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// home returns the directory of a tool's package.
func home(name string) string {
	if name == "doppel" {
		return "../pkg/cli"
	}
	return "../pkg/stage/" + name
}

// example returns the arguments and the standard input of a tool's example.
func example(t *testing.T, name string) (args []string, stdin string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(home(name), "testdata", "example"))
	if err != nil {
		t.Fatalf("every tool has an example: %v", err)
	}
	first, stdin, _ := strings.Cut(string(text), "\n")
	return strings.Fields(first), stdin
}

// flag returns the line of NAME --flags that describes the flag with the given long name. It
// returns "" if the tool has no such flag.
func flag(t *testing.T, name, long string) string {
	t.Helper()
	for line := range strings.Lines(run(command(name, "--flags"), "").stdout) {
		if strings.HasPrefix(line, long+"\t") {
			return line
		}
	}
	return ""
}
