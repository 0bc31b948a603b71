//go:build linux

package main

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

func nothingDone(_ *rand.Rand, d []byte) []byte { return d }

var all = regexp.MustCompile("")

// TestNames holds every case to a name of its own, by which it is repeated.
func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for _, tr := range planAll(kinds, options{seed: 1}, all) {
		if seen[tr.name] {
			t.Errorf("two cases are called %s", tr.name)
		}
		seen[tr.name] = true
	}
	if len(seen) < 10_000 {
		t.Errorf("%d cases", len(seen))
	}
}

// TestEachFault holds the 36 faults to a case each, or more.
func TestEachFault(t *testing.T) {
	seen := map[string]bool{}
	for _, tr := range knownTrials() {
		seen[strings.Split(tr.name, "/")[1]] = true
	}
	for severity, n := range map[string]int{"1.": 4, "2.": 9, "3.": 23} {
		for i := range n {
			if name := severity + strconv.Itoa(i+1); !seen[name] {
				t.Errorf("no case of %s", name)
			}
		}
	}
}

// TestDraw holds a selection to depending on the seed alone.
func TestDraw(t *testing.T) {
	names := func(seed uint64) (names []string) {
		for _, tr := range planAll(kinds[1:2], options{seed: seed, cases: 20}, all) {
			names = append(names, tr.name)
		}
		return names
	}
	if a, b := names(1), names(1); len(a) != 20 || !slices.Equal(a, b) {
		t.Errorf("%d and %d names, not the same 20", len(a), len(b))
	}
	if slices.Equal(names(1), names(2)) {
		t.Error("two seeds draw the same")
	}
}

// TestDrawMore holds the draw to staying what it was, but for new trials in it.
func TestDrawMore(t *testing.T) {
	trials := killTrials()
	before := map[string]bool{}
	for _, tr := range draw(slices.Clone(trials[10:]), 50, 1) {
		before[tr.name] = true
	}
	stay := 0
	for _, tr := range draw(trials, 50, 1) {
		if before[tr.name] {
			stay++
		}
	}
	if stay < 40 || len(before) != 50 {
		t.Errorf("of %d drawn %d stay", len(before), stay)
	}
}

func TestChooseKinds(t *testing.T) {
	if chosen, err := chooseKinds("kill,disk"); err != nil || len(chosen) != 2 {
		t.Errorf("%v, %v", chosen, err)
	}
	if _, err := chooseKinds("kill,dsik"); err == nil {
		t.Error("an unknown kind is taken")
	}
}

func TestKeptOf(t *testing.T) {
	in := "a\nb\na\nc\n"
	roles := []role{unique, unique, copied, near}
	for _, c := range []struct {
		output string
		keep   []role
		good   bool
	}{
		{"a\nb\n", []role{unique}, true},
		{"a\nb\nc\n", []role{unique, near}, true},
		{"a\n", []role{unique}, false},
		{"a\nb\na\n", []role{unique}, false},
		{"b\na\n", []role{unique}, false},
		{"a\nb\nx\n", []role{unique}, false},
		{"", []role{unique}, false},
	} {
		if err := keptOf([]byte(in), c.output, roles, c.keep...); (err == nil) != c.good {
			t.Errorf("%q of %v: %v", c.output, c.keep, err)
		}
	}
}

// TestCorpus holds the planted copies to what the oracle takes them for.
func TestCorpus(t *testing.T) {
	c := newCorpus(seeded(1, "test"), 200)
	counts := map[role]int{}
	for _, r := range c.records {
		counts[r.role]++
	}
	if counts[unique] != 160 || counts[copied] != 20 || counts[near] != 20 {
		t.Errorf("%v", counts)
	}
	if !bytes.Equal(c.jsonl(), newCorpus(seeded(1, "test"), 200).jsonl()) {
		t.Error("one seed makes two corpora")
	}
}

func TestWholeCache(t *testing.T) {
	slot := func(pieces string) string {
		var b strings.Builder
		for _, p := range pieces {
			b.WriteString(strings.Repeat(map[rune]string{'s': "\x11", '0': "\x00"}[p], 16))
		}
		return b.String()
	}
	header := "fzseen1\n" + string(binary.LittleEndian.AppendUint64(nil, 6))
	for _, c := range []struct {
		data string
		good bool
	}{
		{"", true},
		{header, true},
		{header + slot("sss"), true},
		{header + slot("0sss"), true},
		{header + slot("ss0sss"), true},
		{header + slot("s0s"), false},
		{header + slot("s0s0ss"), false},
		{header + slot("sssssss"), false},
		{header + slot("ss") + "x", false},
		{"fzseen2\n" + header[8:], false},
		{"fz", false},
	} {
		if err := wholeCache(c.data); (err == nil) != c.good {
			t.Errorf("%q: %v", c.data, err)
		}
	}
}

// TestMutations holds every mutation to changing data, and doing so again.
func TestMutations(t *testing.T) {
	data := bytes.Repeat([]byte("some words\n"), 50)
	for _, m := range append(slices.Clone(flips), cut(3, 10), cut(9, 10)) {
		changed := 0
		for i := range uint64(20) {
			a := m.apply(rand.New(rand.NewPCG(1, i)), bytes.Clone(data))
			b := m.apply(rand.New(rand.NewPCG(1, i)), bytes.Clone(data))
			if !bytes.Equal(a, b) {
				t.Errorf("%s: one seed, two results", m.name)
			}
			if !bytes.Equal(a, data) {
				changed++
			}
		}
		if changed < 15 {
			t.Errorf("%s: %d of 20 changed something", m.name, changed)
		}
	}
	for _, m := range flips {
		m.apply(rand.New(rand.NewPCG(1, 1)), []byte("x"))
	}
}

func TestCompare(t *testing.T) {
	second := cost{bytes: 1 << 20, cpu: time.Second, peak: 100}
	for _, c := range []struct {
		two    cost
		square bool
		good   bool
	}{
		{cost{bytes: 2 << 20, cpu: 2 * time.Second, peak: 200}, false, true},
		{cost{bytes: 2 << 20, cpu: 4 * time.Second, peak: 200}, false, false},
		{cost{bytes: 2 << 20, cpu: 4 * time.Second, peak: 200}, true, true},
		{cost{bytes: 2 << 20, cpu: 2 * time.Second, peak: 400}, false, false},
		{cost{bytes: 2 << 20, cpu: 2 * time.Second, peak: 400}, true, false},
		{cost{bytes: 2 << 20, cpu: 2 * time.Second, peak: 2000}, false, false},
	} {
		if _, err := compare(second, c.two, c.square); (err == nil) != c.good {
			t.Errorf("%+v: %v", c.two, err)
		}
	}
}

func TestWithin(t *testing.T) {
	from := []string{"a", "b", "b"}
	for text, good := range map[string]bool{"": true, "a": true, "b b a": true, "a a": false, "c": false} {
		if err := within(made, strings.Fields(text), from); (err == nil) != good {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestExactlyOnce(t *testing.T) {
	for text, good := range map[string]bool{"b a": true, "a": false, "a b b": false, "a c": false} {
		if err := exactlyOnce(strings.Fields(text), []string{"a", "b"}); (err == nil) != good {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestQuoted holds the words that are printed to what a shell reads.
func TestQuoted(t *testing.T) {
	for _, s := range append([]string{""}, names...) {
		out, err := exec.Command("sh", "-c", "printf %s "+quoted(s)).Output()
		if err != nil || string(out) != s {
			t.Errorf("%q comes back as %q: %v", s, out, err)
		}
	}
}

// TestSlow holds the slow reader to all of its data, in pieces.
func TestSlow(t *testing.T) {
	data := bytes.Repeat([]byte("0123456789"), 1000)
	var got []byte
	reads := 0
	for r, p := slow(data), make([]byte, 32<<10); ; reads++ {
		n, err := r.Read(p)
		if got = append(got, p[:n]...); err != nil {
			break
		}
	}
	if !bytes.Equal(got, data) || reads < 3 {
		t.Errorf("%d bytes in %d reads", len(got), reads)
	}
}
