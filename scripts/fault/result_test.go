//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestPrintable(t *testing.T) {
	if got := printable("a\tb\x1b[31m\u009b\x7f\né"); got != "a\tb\\x1b[31m\\u009b\\x7f\né" {
		t.Errorf("%q", got)
	}
}

func TestAgain(t *testing.T) {
	for args, want := range map[string]string{
		"-seed 7 -only kill":      "-seed 7 ",
		"-seed=7 -short":          "-seed=7 ",
		"--bin x -page y -seed 3": "--bin x -seed 3 ",
		"-short":                  "",
	} {
		if got := again(strings.Fields(args)); got != want {
			t.Errorf("%s: %q, not %q", args, got, want)
		}
	}
}

func TestResults(t *testing.T) {
	all := &results{}
	for _, err := range []error{nil, nil, errors.New("lost"), notTried{why: "no mount"}} {
		all.all = append(all.all, result{name: "kill/fuzzy/1", err: err, rows: []row{{"memory", []string{"recuniq", "1M"}}}})
	}
	if all.failed() != 1 || all.missing(true) != 1 || all.missing(false) != 0 {
		t.Errorf("%d failed, %d not tried", all.failed(), all.missing(true))
	}
	page := string(all.page(options{seed: 5}))
	for _, want := range []string{".It kill Ta \\&4 Ta \\&2 Ta \\&1 Ta \\&1\n", ".It kill/fuzzy/1\nlost\n", ".It recuniq Ta \\&1M\n", "-seed \\&5"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in %s", want, page)
		}
	}
}

// TestRecord holds a run in pieces to trying each case once, and to counting all.
func TestRecord(t *testing.T) {
	name := filepath.Join(t.TempDir(), "record")
	first := []result{
		{name: "kill/a"},
		{name: "kill/b", err: errors.New("lost"), rows: []row{{"memory", []string{"1M"}}}},
		{name: "kill/c", err: notTried{why: "no mount"}},
	}
	_, more, err := options{record: name}.recorded()
	for _, r := range first {
		err = errors.Join(err, keep(more, r))
	}
	more.WriteString(`{"name":"kill/d","ver`) // it was killed
	if err != nil {
		t.Fatal(err)
	}
	before, _, err := options{record: name}.recorded()
	if err != nil || len(before) != 3 {
		t.Fatalf("%v, %v", before, err)
	}
	for i, r := range before {
		if want := first[i]; r.name != want.name || r.verdict() != want.verdict() || len(r.rows) != len(want.rows) || fmt.Sprint(r.err) != fmt.Sprint(want.err) {
			t.Errorf("%+v, not %+v", r, want)
		}
	}
	trials := []trial{{name: "kill/a"}, {name: "kill/d"}, {name: "kill/b"}, {name: "kill/e"}}
	if left := without(slices.Clone(trials), before); len(left) != 2 || left[0].name != "kill/d" {
		t.Errorf("left: %v", left)
	}
	if before, _, _ = (options{record: name, again: true}).recorded(); len(before) != 2 {
		t.Errorf("%d stand after what failed is forgotten", len(before))
	}
	for part, want := range map[string]int{"": 4, "1/2": 2, "3/3": 1, "1/3": 2} {
		if mine, err := shard(trials, part); err != nil || len(mine) != want {
			t.Errorf("part %q: %v, %v", part, mine, err)
		}
	}
	for _, part := range []string{"0/2", "3/2", "1", "a/b"} {
		if _, err := shard(trials, part); err == nil {
			t.Errorf("part %q is taken", part)
		}
	}
}

// TestBuilds holds the page to telling of which builds it is.
func TestBuilds(t *testing.T) {
	all := &results{all: []result{{name: "kill/1", build: "a"}, {name: "kill/2", build: "a"}}}
	if text := all.ofBuilds(); !strings.Contains(text, "on one build") || strings.Contains(text, "others") {
		t.Error(text)
	}
	all.all = append(all.all, result{name: "kill/3", build: "b"})
	if text := all.ofBuilds(); !strings.HasPrefix(text, "2 were") || !strings.Contains(text, "1 on others") {
		t.Error(text)
	}
}

// The committed page has what is written by hand of the tests.
func TestPageTests(t *testing.T) {
	page, err := os.ReadFile("../../man/doppel-faults.7")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), pageTests) || !strings.Contains(string(new(results).page(options{})), pageTests) {
		t.Error("man/doppel-faults.7 is without tests.mdoc, or has it as it was")
	}
}
