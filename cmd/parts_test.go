package cmd_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"doppel/pkg/stage/stagetest"
)

// sharded writes lines to shards in a directory, and returns the names of the shards in byte order.
// The names end with the given suffix, which determines the format of the shards.
func sharded(t *testing.T, dir, end string, shards int, lines []string) (names []string) {
	t.Helper()
	for i := range shards {
		name := fmt.Sprintf("shard%d%s", 5+2*i, end) // shard11 and later shards come first in byte order
		part := lines[i*len(lines)/shards : (i+1)*len(lines)/shards]
		c := command("reccat", "-o", filepath.Join(dir, name))
		if r := run(c, strings.Join(part, "")); r.status != 0 {
			t.Fatal(r.stderr)
		}
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(a+":", b+":") })
	return names
}

// revisions returns the records in testdata/revisions, which are revisions of real web pages.
func revisions(t *testing.T) []string {
	t.Helper()
	r := run(command("reccat", "../revisions/pages.jsonl.zst"), "")
	if r.status != 0 {
		t.Fatal(r.stderr)
	}
	return slices.Collect(strings.Lines(r.stdout))
}

// sliding returns 300 records. Each text has 25 words, and its last 24 words are the first 24 words
// of the next text. There are only 7 different ids.
func sliding() (lines []string) {
	for i := range 300 {
		var b strings.Builder
		for w := range 25 {
			fmt.Fprintf(&b, "word%d ", i+w)
		}
		lines = append(lines, fmt.Sprintf("{\"id\":%d,\"text\":%q}\n", i%7, b.String()))
	}
	return lines
}

// in returns a command that runs in the directory dir, with the tools on PATH.
func in(dir, name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Dir, c.Env = dir, append(os.Environ(), toolPath(), "LC_ALL=C", "MAKEFLAGS=", "MAKELEVEL=")
	return c
}

// kept returns the lines of the named shards in a directory, shard by shard in the given order.
func kept(t *testing.T, dir string, names []string) string {
	t.Helper()
	r := run(in(dir, filepath.Join(bin, "reccat"), names...), "")
	if r.status != 0 {
		t.Fatal(r.stderr)
	}
	return r.stdout
}

// plan runs doppel with args and --print=FORM, and writes what it prints to a file.
func plan(t *testing.T, dir, form, file string, args []string) {
	t.Helper()
	stagetest.Need(t, t.Name(), "bash") // which runs the recipes of makefiles, and scripts for parallel
	r := run(in(dir, filepath.Join(bin, "doppel"), append(args, "--print="+form)...), "")
	must(t, os.WriteFile(filepath.Join(dir, file), []byte(r.stdout), 0o600))
	if r.status != 0 {
		t.Fatal(r.stderr)
	}
}

// TestMake checks that make, with a printed makefile for several shards and parts, produces
// the same records, decisions and scored pairs as a chain on one machine.
func TestMake(t *testing.T) {
	for _, tc := range []struct {
		data, end string
		args      string
		parts     int
	}{
		{"revisions", ".jsonl.zst", "fuzzy", 1},
		{"revisions", ".parquet", "fuzzy -t .6 --rank=id:desc --hot 20", 3},
		{"sliding", ".jsonl", "fuzzy", 8},
		{"sliding", ".jsonl.gz", "fuzzy --policy=components --rank=last", 3},
		{"revisions", ".jsonl", "exact", 3},
		{"sliding", ".jsonl", "exact --field id", 2},
		{"revisions", ".jsonl.zst", "passages --min-left 300", 1},
		{"revisions", ".parquet", "passages --length w30 --min-left 100 --snap line", 2},
		{"sliding", ".jsonl", "passages --length 40 --copies 3 --keep none --min-left 20", 3},
	} {
		t.Run(tc.data+" "+tc.args, func(t *testing.T) {
			t.Parallel()
			lines := sliding()
			if tc.data == "revisions" {
				lines = revisions(t)
				lines = append(lines, lines[:40]...)
			}
			dir := t.TempDir()
			names := sharded(t, dir, tc.end, 4, lines)
			args := append(strings.Fields(tc.args), names...)
			plan(t, dir, "make", "doppel.mk", append(args, fmt.Sprint("--parts=", tc.parts), []string{"--batch=1", "--batch=64M"}[tc.parts%2]))
			if out, err := in(dir, "make", "-j2", "-f", "doppel.mk").CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			whole := "whole.jsonl"
			if tc.end == ".parquet" {
				whole = "whole.parquet"
			}
			if r := run(in(dir, filepath.Join(bin, "doppel"), append(args, "--stats=none", "-o", whole)...), ""); r.status != 0 {
				t.Fatal(r.stderr)
			}
			want := kept(t, dir, []string{whole})
			if got := kept(t, filepath.Join(dir, "kept"), names); got != want || len(want) == 0 || strings.Count(want, "\n") == len(lines) {
				t.Errorf("%d records are left, not %d of %d", strings.Count(got, "\n"), strings.Count(want, "\n"), len(lines))
			}
			if tc.args == "fuzzy" {
				alike(t, dir, names)
			}
			audited(t, dir, tc.args, names)
		})
	}
}

// TestMakeOverlap checks that make merges the results of shards into the same files that one
// process writes.
func TestMakeOverlap(t *testing.T) {
	lines := revisions(t)
	dir := t.TempDir()
	var items strings.Builder
	for i, line := range lines {
		var rec struct{ Text string }
		must(t, json.Unmarshal([]byte(line), &rec))
		words := strings.Fields(rec.Text)
		q, _ := json.Marshal(strings.Join(words[:min(len(words), 3+i%50)], " "))
		a, _ := json.Marshal("the answer: " + strings.Join(words[max(0, len(words)-2):], " "))
		fmt.Fprintf(&items, "{\"q\":%s,\"a\":%s}\n", q, a)
	}
	must(t, os.WriteFile(filepath.Join(dir, "quiz.jsonl"), []byte(items.String()), 0o600))
	results := []string{"overlap.tsv", "drop", "spoiled", "common", "page.html"}
	args := strings.Fields("overlap --test quiz.jsonl --test-field q --test-field a --df 30 --show --cut --decisions drop --spoiled spoiled --common common --report page.html")
	want := map[string]string{}
	for _, shards := range []int{1, 7} {
		names := sharded(t, dir, ".jsonl.zst", shards, lines)
		if r := run(in(dir, filepath.Join(bin, "doppel"), slices.Concat(args, []string{"-H", "-o", results[0]}, names)...), ""); r.status != 0 {
			t.Fatal(r.stderr)
		}
		for _, name := range results {
			text, err := os.ReadFile(filepath.Join(dir, name))
			must(t, errors.Join(err, os.Remove(filepath.Join(dir, name))))
			if want[name] = string(text); len(text) == 0 {
				t.Errorf("%s is empty", name)
			}
		}
		plan(t, dir, "make", "doppel.mk", slices.Concat(args, names))
		for _, missing := range []string{results[0], "drop", "doppel.work/found/1.zst"} { // make rebuilds missing files
			os.Remove(filepath.Join(dir, missing))
			if out, err := in(dir, "make", "-j2", "-f", "doppel.mk").CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			for _, name := range results {
				if text, err := os.ReadFile(filepath.Join(dir, name)); string(text) != want[name] {
					t.Errorf("%d shards, without %s: %s differs, %v", shards, missing, name, err)
				}
			}
		}
		must(t, os.RemoveAll(filepath.Join(dir, "doppel.work")))
	}
}

// audited runs doppel audit on the result of make.
func audited(t *testing.T, dir, args string, names []string) {
	t.Helper()
	words := strings.Fields(args)
	audit := []string{"audit", "--of", words[0], "--decisions", "doppel.work/decisions", "-o", "kept"}
	for i, w := range words {
		if policy, ok := strings.CutPrefix(w, "--policy="); ok {
			audit = append(audit, "--policy", policy)
		}
		if w == "-t" || w == "--field" || w == "--keep" {
			audit = append(audit, w, words[i+1])
		}
	}
	if r := run(in(dir, filepath.Join(bin, "doppel"), append(audit, names...)...), ""); r.status != 0 || !strings.HasSuffix(r.stdout, ": no fault\n") {
		t.Errorf("%v: %+v", audit, r)
	}
}

// alike reports an error unless make wrote the same scores and decisions as a single chain over all
// shards.
func alike(t *testing.T, dir string, names []string) {
	t.Helper()
	records := "--records=" + strings.Join(names, " --records=")
	script := fmt.Sprintf(`export LC_ALL=C
recsign -H %s | lshpairs | jaccard -H -t 0.8 %s > scored
test -s scored
dupgroup --cut 0.8 -o decided scored
cmp decided doppel.work/decisions
sort scored > sorted
sort doppel.work/scores/* | cmp - sorted`, strings.Join(names, " "), records)
	c := stagetest.Shell(t, t.Name(), script)
	c.Dir, c.Env = dir, append(os.Environ(), toolPath())
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestMakeKilled kills make in the middle of a recipe five times, and checks that make continues
// each time. A target that is complete when make is killed must not be rebuilt.
func TestMakeKilled(t *testing.T) {
	dir := t.TempDir()
	names := sharded(t, dir, ".jsonl.zst", 4, revisions(t))
	plan(t, dir, "make", "doppel.mk", append([]string{"fuzzy", "--parts=3", "--batch=1"}, names...))
	shell := filepath.Join(dir, "shell")
	must(t, os.WriteFile(shell, []byte("#!/bin/bash\necho >> $LOG\n[ $(wc -l < $LOG) -lt $LAST ] || { bash \"$@\" & kill -KILL 0; }\nexec bash \"$@\"\n"), 0o700))
	whole := map[string]os.FileInfo{}
	for n := range 5 {
		c := in(dir, "make", "-j2", "-f", "doppel.mk", "SHELL="+shell)
		c.Env = append(c.Env, fmt.Sprintf("LOG=%s/log%d", dir, n), "LAST=14")
		c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if err := c.Run(); err == nil || c.ProcessState.ExitCode() != -1 {
			t.Fatalf("run %d was not killed: %v", n, err)
		}
		for name, info := range targets(t, dir) {
			if before := whole[name]; before != nil && !os.SameFile(before, info) {
				t.Errorf("run %d: %s was made again", n, name)
			}
			whole[name] = info
		}
	}
	if out, err := in(dir, "make", "-j2", "-f", "doppel.mk").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	all := targets(t, dir)
	for name, info := range whole {
		if !os.SameFile(all[name], info) {
			t.Errorf("%s was made again", name)
		}
	}
	if len(whole) < 5 || len(all) <= len(whole) {
		t.Errorf("%d targets were there after five runs, %d are at the end", len(whole), len(all))
	}
	want := run(in(dir, filepath.Join(bin, "doppel"), append([]string{"fuzzy", "--stats=none", "-o", "whole.jsonl"}, names...)...), "")
	if want.status != 0 || kept(t, filepath.Join(dir, "kept"), names) != kept(t, dir, []string{"whole.jsonl"}) {
		t.Errorf("other records are left than on one machine: %s", want.stderr)
	}
	if out, err := in(dir, "make", "-n", "-f", "doppel.mk").Output(); err != nil || !strings.Contains(string(out), "Nothing to be done") {
		t.Errorf("%v, still to be made:\n%s", err, out)
	}
}

// targets returns the complete targets in doppel.work: the files named ok, which mark complete
// directories, and the files whose size is recorded in doppel.work/whole.
func targets(t *testing.T, dir string) map[string]os.FileInfo {
	t.Helper()
	all := map[string]os.FileInfo{}
	for _, pattern := range []string{"keys/*/ok", "pairs/*", "bins/ok", "texts/*/ok", "scores/*", "decisions", "split/ok", "kept/*"} {
		names, err := filepath.Glob(filepath.Join(dir, "doppel.work", pattern))
		must(t, err)
		for _, name := range names {
			info, err := os.Stat(name)
			must(t, err)
			_, err = os.Stat(filepath.Join(dir, "doppel.work/whole", strings.ReplaceAll(strings.TrimPrefix(name, filepath.Join(dir, "doppel.work")+"/"), "/", ".")))
			if err == nil || filepath.Base(name) == "ok" {
				all[name] = info
			}
		}
	}
	return all
}

// TestParallelScript checks that a printed script for GNU parallel keeps the same records as
// a chain on one machine.
func TestParallelScript(t *testing.T) {
	stagetest.Need(t, t.Name(), "parallel")
	dir := t.TempDir()
	names := sharded(t, dir, ".jsonl", 3, sliding())
	for _, args := range [][]string{{"fuzzy", "--parts=2", "--batch=1"}, {"exact", "--parts=2", "--batch=1", "--field=id"}} {
		must(t, os.RemoveAll(filepath.Join(dir, "doppel.work")))
		must(t, os.RemoveAll(filepath.Join(dir, "kept")))
		args = append(args, names...)
		plan(t, dir, "parallel", "parts.sh", args)
		if out, err := in(dir, "bash", "parts.sh", "-j2").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		args = slices.Delete(args, 1, 3)
		if want := run(in(dir, filepath.Join(bin, "doppel"), append(args, "--stats=none")...), "").stdout; kept(t, filepath.Join(dir, "kept"), names) != want || want == "" {
			t.Errorf("%s: other records are left than on one machine", args[0])
		}
	}
}

// TestMakeFails checks that a failing recipe leaves no target and that its error message is
// printed.
func TestMakeFails(t *testing.T) {
	dir := t.TempDir()
	names := sharded(t, dir, ".jsonl", 2, sliding())
	plan(t, dir, "make", "doppel.mk", append([]string{"fuzzy", "--parts=2", "--batch=1"}, names...))
	must(t, os.WriteFile(filepath.Join(dir, names[1]), []byte("{\"text\": \"x\"}\n{\"te\n"), 0o600))
	out, err := in(dir, "make", "-k", "-f", "doppel.mk").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "recsign: "+names[1]+":2: invalid JSON") {
		t.Errorf("%v\n%s", err, out)
	}
	for name := range targets(t, dir) {
		if !strings.HasSuffix(name, "keys/1/ok") {
			t.Errorf("%s was made", name)
		}
	}
}

// TestMakeOfTornKeys checks that keypairs reports, by name, a file of keys that was truncated
// after make built it. The recipe that runs keypairs does not check the size of the file.
func TestMakeOfTornKeys(t *testing.T) {
	dir := t.TempDir()
	names := sharded(t, dir, ".jsonl", 2, sliding())
	plan(t, dir, "make", "doppel.mk", append([]string{"fuzzy", "--parts=2"}, names...))
	if out, err := in(dir, "make", "-s", "-f", "doppel.mk", "keys").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	must(t, os.Truncate(filepath.Join(dir, "doppel.work/keys/1/keys.zst"), 100))
	out, err := in(dir, "make", "-s", "-f", "doppel.mk", "doppel.work/pairs/1").CombinedOutput()
	if want := "keypairs: doppel.work/keys/1/keys.zst: the file has 100 bytes, but its parts have "; err == nil || !strings.Contains(string(out), want) {
		t.Errorf("%v\n%s", err, out)
	}
	if _, err := os.Stat(filepath.Join(dir, "doppel.work/pairs/1")); err == nil {
		t.Error("pairs of torn keys were made")
	}
}

// TestMakeAfterPowerCut checks that make rebuilds a file that a power cut has left empty or
// truncated, although the file's mtime is new. Everything that depends on the file must be
// rebuilt, too. A target that is empty on purpose must not be rebuilt.
func TestMakeAfterPowerCut(t *testing.T) {
	for _, tc := range []struct {
		args  string
		files []string
	}{
		{"fuzzy", strings.Fields("keys/1/keys.zst keys/1/keys.zst.parts keys/2/ok pairs/1 bins/pairs bins/ok bins/wanted.1 texts/1/texts texts/2/texts.parts scores/1 decisions split/2 split/ok kept/2 whole/pairs.1 plan ../kept/shard5.jsonl")},
		{"exact --field id", strings.Fields("keys/1/keys.zst pairs/1 decisions split/1")},
		{"passages --length 40 --min-left 20", strings.Fields("keys/2/keys.zst met/1 decisions split/1")},
	} {
		t.Run(tc.args, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			names := sharded(t, dir, ".jsonl", 2, append(sliding()[:150], `{"id":0,"text":"alone"}`+"\n"))
			args := append(strings.Fields(tc.args), names...)
			plan(t, dir, "make", "doppel.mk", append(args, "--parts=2", "--batch=1"))
			again := func() {
				t.Helper()
				if out, err := in(dir, "make", "-s", "-f", "doppel.mk").CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
			}
			again()
			want := kept(t, filepath.Join(dir, "kept"), names)
			if out, err := in(dir, "make", "-n", "-f", "doppel.mk").Output(); err != nil || !strings.Contains(string(out), "Nothing to be done") {
				t.Errorf("%v, still to be made:\n%s", err, out)
			}
			for _, file := range tc.files {
				name := filepath.Join(dir, "doppel.work", file)
				whole, err := os.ReadFile(name)
				must(t, err)
				for _, left := range []int{0, len(whole) / 2} {
					if left > 0 && (file == "plan" || strings.HasPrefix(file, "..")) {
						continue // the tools that write these files sync them
					}
					must(t, os.WriteFile(name, whole[:left], 0o600))
					again()
					if got := kept(t, filepath.Join(dir, "kept"), names); got != want {
						t.Errorf("%s of %d bytes, not %d: %d records are left, not %d", file, left, len(whole), strings.Count(got, "\n"), strings.Count(want, "\n"))
					}
				}
			}
		})
	}
}

// TestMakeOfCopies checks that a shard without kept records has an empty result, which make
// does not build again.
func TestMakeOfCopies(t *testing.T) {
	dir := t.TempDir()
	lines := sliding()[:1]
	names := sharded(t, dir, ".jsonl", 2, append(lines, lines...))
	plan(t, dir, "make", "doppel.mk", append([]string{"fuzzy", "--parts=3"}, names...))
	if out, err := in(dir, "make", "-s", "-f", "doppel.mk").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := kept(t, filepath.Join(dir, "kept"), names); got != lines[0] {
		t.Errorf("%q is left", got)
	}
	if out, err := in(dir, "make", "-f", "doppel.mk").Output(); err != nil || !strings.Contains(string(out), "Nothing to be done") {
		t.Errorf("%v, still to be made:\n%s", err, out)
	}
}

// TestMakeOfAnotherPlan checks that a makefile does not use targets that were built by a makefile
// with other options or other shards, even if the only difference is an additional first shard.
func TestMakeOfAnotherPlan(t *testing.T) {
	dir := t.TempDir()
	names := sharded(t, dir, ".jsonl", 3, sliding())
	made := func(args ...string) (string, error) {
		plan(t, dir, "make", "doppel.mk", append([]string{"fuzzy", "--parts=2", "--batch=1"}, args...))
		out, err := in(dir, "make", "-s", "-f", "doppel.mk").CombinedOutput()
		return string(out), err
	}
	if out, err := made(names[1:]...); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	before := kept(t, filepath.Join(dir, "kept"), names[1:])
	for _, args := range [][]string{names, append([]string{"-t.99"}, names[1:]...), {"--no-sync", names[1], names[2]}} {
		if out, err := made(args...); err == nil || !strings.Contains(out, "doppel.work belongs to a makefile with other options, shards or version: to begin again, rm -r doppel.work") {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
	}
	if after := kept(t, filepath.Join(dir, "kept"), names[1:]); after != before {
		t.Error("a makefile that was refused has changed what is kept")
	}
	must(t, os.RemoveAll(filepath.Join(dir, "doppel.work")))
	if out, err := made(names...); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if want := run(in(dir, filepath.Join(bin, "doppel"), append([]string{"fuzzy", "--stats=none"}, names...)...), "").stdout; kept(t, filepath.Join(dir, "kept"), names) != want || want == "" {
		t.Error("other records are left than on one machine")
	}
	if out, err := made(names...); err != nil {
		t.Errorf("the same makefile again: %v\n%s", err, out)
	}
}

// TestMakeNames checks that the names of shards are passed to the tools unchanged, even if they
// begin with "./" or contain "..".
func TestMakeNames(t *testing.T) {
	dir := t.TempDir()
	here := filepath.Join(dir, "here")
	must(t, os.MkdirAll(filepath.Join(here, "in"), 0o700))
	all := sliding()
	sharded(t, dir, ".jsonl", 1, all[:100])                         // writes shard5.jsonl
	sharded(t, filepath.Join(here, "in"), ".x.jsonl", 2, all[100:]) // writes in/shard5.x.jsonl and in/shard7.x.jsonl
	names := []string{"../shard5.jsonl", ".//in/shard5.x.jsonl", "./in/./shard7.x.jsonl"}
	plan(t, here, "make", "doppel.mk", append([]string{"fuzzy", "--parts=2"}, names...))
	if out, err := in(here, "make", "-s", "-f", "doppel.mk").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want := run(in(here, filepath.Join(bin, "doppel"), append([]string{"fuzzy", "--stats=none"}, names...)...), "").stdout
	if got := kept(t, filepath.Join(here, "kept"), []string{"shard5.jsonl", "shard5.x.jsonl", "shard7.x.jsonl"}); got != want || want == "" {
		t.Errorf("%d records are left, not %d", strings.Count(got, "\n"), strings.Count(want, "\n"))
	}
}
