//go:build linux

package main

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"doppel/pkg/stage/stagetest"
)

// planted returns a sandbox whose tools are shell scripts; tools maps the name of each tool to its
// script.
func planted(t *testing.T, tools map[string]string) *sandbox {
	t.Helper()
	dir := t.TempDir()
	w := &world{options: options{seed: 1}, bin: filepath.Join(dir, "bin"), dir: dir, inputs: filepath.Join(dir, "inputs")}
	for _, d := range []string{w.bin, w.inputs} {
		if err := os.Mkdir(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for name, script := range tools {
		if err := os.WriteFile(filepath.Join(w.bin, name), []byte("#!/bin/sh\n"+script+"\n"), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	s := w.newSandbox("planted/" + t.Name())
	if s.broken != nil {
		t.Fatal(s.broken)
	}
	return s
}

// complete is a script that writes an output as the tools promise to: it writes a temporary file
// and then gives it the name of the output.
const complete = `printf '%s\n' new > o/.1.out && mv o/.1.out o/out`

var plantedJob = job{name: "planted", args: "tool -o o/out", files: []string{"out"}}

// TestPlanted checks that the harness notices each kind of fault.
func TestPlanted(t *testing.T) {
	defer func(d time.Duration) { grace = d }(grace)
	grace = 300 * time.Millisecond
	for _, c := range []struct{ name, script, want string }{
		{"good", complete, ""},
		{"refuses", "echo tool: no >&2; exit 2", ""},
		{"panic", complete + "; echo 'panic: oh' >&2; echo 'goroutine 1 [running]:' >&2; exit 2", "traceback"},
		{"fatal", "echo 'fatal error: out of memory' >&2; exit 2", "traceback"},
		{"status", "exit 7", "status 7"},
		{"torn", "printf ne > o/out; exit 2", "neither old nor complete"},
		{"lies", "printf ne > o/out", "differs from the output of an undisturbed run"},
		{"silent", "exit 0", "differs from the output of an undisturbed run"},
		{"scratch", complete + "; touch $TMPDIR/x", "t: unexpected file"},
		{"hidden", "touch o/.7.out; exit 2", "o: unexpected file"},
		{"beside", complete + "; touch o/other", "o: unexpected file"},
		{"process", complete + "; sleep 100 & exit 0", "processes still running"},
		{"escape", "printf 'tool: \\033[31m' >&2; exit 2", "control character"},
		{"hang", "sleep 100", "hangs"},
		{"spin", "while :; do :; done", "hangs"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := judged(t, planted(t, map[string]string{"tool": c.script}))
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%v, not %q", err, c.want)
			}
		})
	}
}

// judged runs the planted tool like a kill case, but sends no signal, and returns the error that
// the case would report.
func judged(t *testing.T, s *sandbox) error {
	t.Helper()
	ref := &reference{files: map[string]string{"out": "new\n"}}
	return s.attempt(func(s *sandbox) error {
		plantedJob.prepare(s)
		c := plantedJob.command(s)
		if t.Name() == "TestPlanted/hang" || t.Name() == "TestPlanted/spin" {
			c.limit = 100 * time.Millisecond
		}
		return plantedJob.checkStopped(s, ref, s.run(c), syscall.SIGTERM)
	})
}

// TestKillNotices checks that the harness notices a tool that was killed while it wrote its
// output in place.
func TestKillNotices(t *testing.T) {
	s := planted(t, map[string]string{"tool": "printf n > o/out; kill -9 $$; printf 'ew\\n' >> o/out"})
	ref := &reference{files: map[string]string{"out": "new\n"}}
	plantedJob.prepare(s)
	if err := plantedJob.checkStopped(s, ref, s.run(plantedJob.command(s)), syscall.SIGKILL); err == nil {
		t.Error("a file half written is not noticed")
	}
}

// TestRenamedTogether checks that the harness notices a run that replaced only one of two
// outputs, unless SIGKILL ended the run.
func TestRenamedTogether(t *testing.T) {
	s := planted(t, nil)
	j := job{files: []string{"out", "removed"}}
	ref := &reference{files: map[string]string{"out": "new", "removed": "audit"}}
	s.write("o/removed", []byte(old))
	s.write("o/out", []byte("new"))
	if err := j.check(s, ref, outcome{status: 2}, false); err == nil {
		t.Error("one of two new files is not noticed")
	}
	if err := j.check(s, ref, outcome{status: 137}, true); err != nil {
		t.Error(err)
	}
}

// plantInput adds a file to the inputs of a planted sandbox.
func plantInput(t *testing.T, s *sandbox, name, data string) {
	t.Helper()
	file := filepath.Join(s.inputs, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(data), 0o666)); err != nil {
		t.Fatal(err)
	}
}

// TestReaderNotices checks that the harness notices a tool that loses or changes a record of its
// input, overwrites its output before it fails, or fails without a message.
func TestReaderNotices(t *testing.T) {
	stagetest.Need(t, t.Name(), "bash")
	const few = "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n"
	stats := `echo '{"records":3,"kept":3,"dropped":0}' > o/stats; `
	for _, c := range []struct {
		name, script string
		good         bool
	}{
		{"good", stats + "cat i/x > o/out", true},
		{"lost", stats + "sed 1d i/x > o/out", false},
		{"changed", stats + "sed 's/1/4/' i/x > o/out", false},
		{"overwrites", "echo tool: no >&2; : > o/out; exit 2", false},
		{"no message", "exit 2", false},
		{"refuses", "echo tool: no >&2; exit 2", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := planted(t, map[string]string{"tool": c.script})
			plantInput(t, s, "few", few)
			reader := script{subject: "counted", text: "tool --stats o/stats -o o/out i/x"}
			none := func(_ *rand.Rand, d []byte) []byte { return d }
			if err := s.attempt(func(s *sandbox) error { return reader.read(s, "few", none) }); (err == nil) != c.good {
				t.Errorf("%v", err)
			}
		})
	}
}

// TestInPlaceNotices checks that the harness notices a tool that, on its second run, removes a
// file that has no copy, and a tool that leaves a temporary file.
func TestInPlaceNotices(t *testing.T) {
	for _, c := range []struct{ name, script, want string }{
		{"good", "rm -f i/tree/b; echo b", ""},
		{"loses", "if [ -e i/tree/b ]; then rm i/tree/b; else rm -f i/tree/a; fi", "lost"},
		{"leaves", "rm -f i/tree/b; echo b; touch i/tree/.doppel-b", "left"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := planted(t, map[string]string{"tool": c.script})
			for name, data := range map[string]string{"tree/a": "a", "tree/b": "a", "tree/c": "c"} {
				plantInput(t, s, name, data)
			}
			err := s.attempt(func(s *sandbox) error {
				j := job{name: "planted", args: "tool", inputs: []string{"tree"}, contents: fileContents, rule: job.nothingLost}
				return j.checkStopped(s, j.setUp(s), s.run(j.command(s)), syscall.SIGTERM)
			})
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%v; want %q", err, c.want)
			}
		})
	}
}

// TestMeasureNotices checks that the harness notices a tool that uses more memory than is allowed
// for a hostile input.
func TestMeasureNotices(t *testing.T) {
	stagetest.Need(t, t.Name(), "bash")
	s := planted(t, map[string]string{"tool": `head -c 200M /dev/zero | tail -c 200M > /dev/null`})
	plantInput(t, s, "few.jsonl", "")
	bomb := script{subject: "2", inputs: "1048576", text: "times $N a\ntool i/x"}
	if err := bomb.measure(s); err == nil || !strings.Contains(err.Error(), "MiB of memory for 1 MiB") {
		t.Error(err)
	}
}
