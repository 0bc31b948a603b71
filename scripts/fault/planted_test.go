//go:build linux

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// planted is a world whose tools are scripts of sh with a fault in them.
func planted(t *testing.T, tools map[string]string) *room {
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
	r, err := w.newRoom("planted/" + t.Name())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// whole writes as the tools promise to.
const whole = `printf '%s\n' new > o/.1.out && mv o/.1.out o/out`

var plantedJob = job{name: "planted", args: "tool -o o/out", files: []string{"out"}}

// TestPlanted holds the harness to noticing each fault that a tool could have.
func TestPlanted(t *testing.T) {
	defer func(d time.Duration) { grace = d }(grace)
	grace = 300 * time.Millisecond
	for _, c := range []struct{ name, script, want string }{
		{"good", whole, ""},
		{"refuses", "echo tool: no >&2; exit 2", ""},
		{"panic", whole + "; echo 'panic: oh' >&2; echo 'goroutine 1 [running]:' >&2; exit 2", "traceback"},
		{"fatal", "echo 'fatal error: out of memory' >&2; exit 2", "traceback"},
		{"status", "exit 7", "status 7"},
		{"torn", "printf ne > o/out; exit 2", "neither old nor whole"},
		{"lies", "printf ne > o/out", "not what an undisturbed run writes"},
		{"silent", "exit 0", "not what an undisturbed run writes"},
		{"scratch", whole + "; touch $TMPDIR/x", "left in t"},
		{"hidden", "touch o/.7.out; exit 2", "left in o"},
		{"beside", whole + "; touch o/other", "left in o"},
		{"process", whole + "; sleep 100 & exit 0", "processes left"},
		{"escape", "printf 'tool: \\033[31m' >&2; exit 2", "control character"},
		{"hang", "sleep 100", "hangs"},
		{"spin", "while :; do :; done", "hangs"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := planted(t, map[string]string{"tool": c.script})
			err := judged(t, r)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%v, not %q", err, c.want)
			}
		})
	}
}

// judged runs the planted tool as a kill does, without the signal.
func judged(t *testing.T, r *room) error {
	t.Helper()
	u := &undisturbed{sums: map[string]string{"out": sum("new\n")}, sizes: map[string]int{"out": 4}}
	if err := plantedJob.setUp(r); err != nil {
		t.Fatal(err)
	}
	c := plantedJob.command(r)
	if t.Name() == "TestPlanted/hang" || t.Name() == "TestPlanted/spin" {
		c.limit = 100 * time.Millisecond
	}
	o := r.run(c)
	if err := plantedJob.survived(r, u, o, 15); err != nil {
		return err
	}
	return r.check()
}

// TestKillNotices holds the sweep to finding a tool that writes in place.
func TestKillNotices(t *testing.T) {
	r := planted(t, map[string]string{"tool": "printf n > o/out; kill -9 $$; printf 'ew\\n' >> o/out"})
	u := &undisturbed{sums: map[string]string{"out": sum("new\n")}}
	if err := plantedJob.setUp(r); err != nil {
		t.Fatal(err)
	}
	if err := plantedJob.survived(r, u, r.run(plantedJob.command(r)), 9); err == nil {
		t.Error("a file half written is not noticed")
	}
}

// TestApart holds two files to being renamed together unless a process was
// killed outright.
func TestApart(t *testing.T) {
	r := planted(t, nil)
	j := job{files: []string{"out", "removed"}}
	u := &undisturbed{sums: map[string]string{"out": sum("new"), "removed": sum("audit")}}
	if err := j.putOld(r); err != nil {
		t.Fatal(err)
	}
	if err := r.write("o/out", []byte("new")); err != nil {
		t.Fatal(err)
	}
	if err := j.whole(r, u, outcome{status: 2}, false); err == nil {
		t.Error("one of two new files is not noticed")
	}
	if err := j.whole(r, u, outcome{status: 137}, true); err != nil {
		t.Error(err)
	}
}

// TestNamedNotices holds the operand cases to noticing a tool that reads a name
// as an option, and one that harms a neighbour.
func TestNamedNotices(t *testing.T) {
	for _, c := range []struct{ name, script, file string }{
		{"option", `for a; do [ "$a" = --help ] && { echo usage; exit 0; }; done; for a; do :; done; cat "./$a"`, "--help"},
		{"neighbour", `for a; do :; done; cat "./$a"; [ "$a" = few.jsonl ] || : > victim`, "a b"},
		{"good", `for a; do :; done; cat "./$a"`, "a b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := planted(t, map[string]string{"tool": c.script})
			for _, name := range []string{"few.jsonl", "decisions", "steps.yaml", "filters.yaml", "fuzzy.yaml"} {
				if err := os.WriteFile(filepath.Join(r.inputs, name), []byte("{}\n"), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if err := named(r, "tool -- %s", c.file); (err == nil) != (c.name == "good") {
				t.Errorf("%v", err)
			}
		})
	}
}

// TestReaderNotices holds the harmed inputs to noticing a lost record.
func TestReaderNotices(t *testing.T) {
	const few = "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n"
	stats := `echo '{"records":3,"kept":%KEPT,"dropped":0}' > o/stats; `
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
			r := planted(t, map[string]string{"tool": strings.ReplaceAll(c.script, "%KEPT", "3")})
			if err := os.WriteFile(filepath.Join(r.inputs, "few"), []byte(few), 0o666); err != nil {
				t.Fatal(err)
			}
			rd := reader{name: "planted", input: "few", args: "tool --stats o/stats -o o/out i/x", check: counted}
			if err := rd.read(r, mutation{"none", nothingDone}); (err == nil) != c.good {
				t.Errorf("%v", err)
			}
		})
	}
}
