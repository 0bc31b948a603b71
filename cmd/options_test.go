package cmd_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"doppel/pkg/front"
	"doppel/pkg/tool"
)

// A trial is one command line that a child of this process runs.
type trial struct {
	Args  []string
	Stdin string
}

// An ending is the result of a trial.
type ending struct {
	Status         int
	Stdout, Stderr string
	Allocated      int64 // bytes that the run allocated in total
}

// runTrials runs the trials on standard input, one after the other, in this process.
func runTrials() {
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var t trial
		if in.Decode(&t) != nil {
			return
		}
		var stdout, stderr bytes.Buffer
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		status := front.Run(tool.Std{Program: "doppel", Args: t.Args, Stdin: strings.NewReader(t.Stdin), Stdout: &stdout, Stderr: &stderr})
		runtime.ReadMemStats(&after)
		out.Encode(ending{status, stdout.String(), stderr.String(), int64(after.TotalAlloc - before.TotalAlloc)})
	}
}

// A child is a process that runs trials. Trials are much cheaper than processes of their own, and a
// panic does not end the tests.
type child struct {
	to     *json.Encoder
	from   *json.Decoder
	stderr bytes.Buffer
}

// startChild starts a process that runs trials in the given directory.
func startChild(t *testing.T, dir string) *child {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	c := exec.Command(self)
	c.Dir, c.Env = dir, append(os.Environ(), toolPath(), "TRIALS=1", "TMPDIR="+t.TempDir())
	in, err := c.StdinPipe()
	must(t, err)
	out, err := c.StdoutPipe()
	must(t, err)
	x := &child{to: json.NewEncoder(in), from: json.NewDecoder(bufio.NewReader(out))}
	c.Stderr = &x.stderr
	must(t, c.Start())
	t.Cleanup(func() {
		in.Close()
		c.Wait()
	})
	return x
}

// try runs a trial. It ends the test if the process panics.
func (x *child) try(t *testing.T, args []string, stdin string) (e ending) {
	t.Helper()
	must(t, x.to.Encode(trial{args, stdin}))
	if err := x.from.Decode(&e); err != nil {
		t.Fatalf("%s: %v\n%.2000s", strings.Join(args, " "), err, x.stderr.String())
	}
	return e
}

// commandNames returns the names of all tools and all subcommands, as in "doppel fuzzy".
func commandNames(t *testing.T) (names []string) {
	for _, name := range tools {
		if name != "doppel" {
			names = append(names, name)
		}
	}
	for line := range strings.Lines(run(command("doppel", "--help"), "").stdout) {
		if f := strings.Fields(line); strings.HasPrefix(line, "  ") && len(f) > 0 && f[0][0] != '-' {
			names = append(names, "doppel "+f[0])
		}
	}
	return names
}

// wordsOf returns the arguments of doppel for a command line of the named command.
func wordsOf(name, line string) []string {
	return append(strings.Fields(strings.TrimPrefix(name, "doppel ")), strings.Fields(line)...)
}

// eachCommand runs test for every tool and subcommand, each with an empty directory.
func eachCommand(t *testing.T, test func(t *testing.T, x *child, name string)) {
	for _, name := range commandNames(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, startChild(t, t.TempDir()), name)
		})
	}
}

// TestEmptyValues checks that every flag of every command is an error if its value is empty, and
// that an empty operand is an error.
func TestEmptyValues(t *testing.T) {
	eachCommand(t, func(t *testing.T, x *child, name string) {
		for _, f := range flagsOf(name) {
			got := x.try(t, wordsOf(name, "--"+f[0]+"="), "")
			if want := fmt.Sprintf("%s: --%s is empty: want ", name, f[0]); got.Status != 2 || !strings.HasPrefix(got.Stderr, want) {
				t.Errorf("--%s=: %+v", f[0], got)
			}
		}
		if got := x.try(t, append(wordsOf(name, ""), ""), ""); got.Status != 2 || !strings.HasPrefix(got.Stderr, name+": an operand is empty") {
			t.Errorf("%+v", got)
		}
	})
}

// TestNullInput checks that a command without operands does not read the null device or a closed
// standard input, and leaves its output unchanged, but that the operand - reads it.
func TestNullInput(t *testing.T) {
	needed := map[string]string{
		"dupreport": "--records r --decisions -", "dupreview": "--records r --keys q", "dupspan": "--records r", "jaccard": "--inline", "jaccgroup": "--records r", "keepdrop": "--drop r", "matchsub": "--records r",
		"doppel overlap": "--test r", "doppel cut": "--scores r",
	}
	// These commands read no standard input, always read it, or need an operand.
	without := strings.Fields("dupreport fuzzyseen doppel-audit doppel-dirs doppel-tui doppel-completions doppel-filter doppel-pipeline doppel-text")
	for _, name := range commandNames(t) {
		if slices.Contains(without, strings.ReplaceAll(name, " ", "-")) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			must(t, os.WriteFile(filepath.Join(dir, "r"), []byte(dataset("some text")), 0o600))
			line := name + " " + needed[name]
			if slices.ContainsFunc(flagsOf(name), func(f []string) bool { return f[0] == "output" }) && name != "dupreview" { // which continues its output
				must(t, os.WriteFile(filepath.Join(dir, "out"), []byte("data"), 0o600))
				line += " -o out"
			}
			if slices.ContainsFunc(flagsOf(name), func(f []string) bool { return f[0] == "keep-going" }) {
				line += " -k"
			}
			for _, from := range []string{"</dev/null", "<&-"} {
				c := exec.Command("sh", "-c", line+" "+from)
				c.Dir, c.Env = dir, append(os.Environ(), toolPath())
				r := run(c, "")
				if r.status != 2 || r.stdout != "" || !strings.Contains(r.stderr, name+": standard input is /dev/null or closed") {
					t.Errorf("%s %s: %+v", line, from, r)
				}
				if _, err := os.Stat(filepath.Join(dir, "out")); err == nil && read(t, filepath.Join(dir, "out")) != "data" {
					t.Errorf("%s %s: the output was replaced", line, from)
				}
			}
			for _, operand := range []string{"- </dev/null", "< r"} {
				c := exec.Command("sh", "-c", line+" "+operand)
				c.Dir, c.Env = dir, append(os.Environ(), toolPath())
				if r := run(c, ""); strings.Contains(r.stderr, "standard input is") {
					t.Errorf("%s %s: %+v", line, operand, r)
				}
			}
		})
	}
}
