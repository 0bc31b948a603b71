//go:build linux

package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestLimiting holds the harness to the nearest group that may limit memory.
func TestLimiting(t *testing.T) {
	root := t.TempDir()
	for dir, controllers := range map[string]string{"a": "cpu memory\n", "a/b": "cpu\n", "a/b/c": ""} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, dir, "cgroup.subtree_control"), []byte(controllers), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	two := "proc /proc proc rw 0 0\ncgroup2 " + root + " cgroup2 rw 0 0\n"
	for _, c := range []struct{ mounts, own, want string }{
		{two, "0::/a/b/c\n", root + "/a"},
		{two, "4:memory:/x\n0::/a\n", root + "/a"},
		{two, "0::/\n", ""},
		{"cgroup " + root + " cgroup rw,memory 0 0\n", "4:memory:/a\n", ""},
		{"", "", ""},
	} {
		if got, err := limiting(c.mounts, c.own); got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%q: %q, %v, want %q", c.own, got, err, c.want)
		}
	}
}

// TestUntried holds the run to saying what it did not try, and why.
func TestUntried(t *testing.T) {
	all := &results{all: []result{
		{name: "memory/cgroup/mem/fuzzy", err: notTried{"no groups", true}},
		{name: "memory/cgroup/oom/fuzzy", err: notTried{"no groups", true}},
		{name: "disk/full-o/fuzzy/01", err: notTried{"no right", true}},
		{name: "kill/fuzzy/1"},
	}}
	got := all.untried()
	want := []string{"1 of disk/full-o: no right", "2 of memory/cgroup: no groups"}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("%q, want %q", got, want)
	}
}
