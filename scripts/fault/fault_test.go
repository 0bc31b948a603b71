//go:build linux

package main

import (
	"bytes"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"doppel/pkg/mail"
	"doppel/pkg/mail/same"
	"doppel/pkg/stage/stagetest"
)

// TestNames checks that case names are unique, because a name selects the case to repeat.
func TestNames(t *testing.T) {
	seen := map[string]bool{}
	trials, err := options{seed: 1}.plan()
	if err != nil {
		t.Fatal(err)
	}
	for _, tr := range trials {
		if seen[tr.name] {
			t.Errorf("two cases are called %s", tr.name)
		}
		seen[tr.name] = true
	}
	if len(seen) < 10_000 {
		t.Errorf("%d cases", len(seen))
	}
}

// TestChecks checks that every check named in testdata/input.txt exists, and that every check is
// used.
func TestChecks(t *testing.T) {
	used := map[string]bool{"": true}
	for _, reader := range scripts("input") {
		used[reader.subject] = true
	}
	for name := range used {
		if name != "" && checks[name] == nil && anyChecks[name] == nil {
			t.Errorf("no check %q", name)
		}
	}
	if len(used) != 1+len(checks)+len(anyChecks) {
		t.Errorf("of %d checks %d are used", len(checks)+len(anyChecks), len(used)-1)
	}
}

// TestDraw checks that the same seed selects the same cases, and that another seed selects other
// cases.
func TestDraw(t *testing.T) {
	names := func(seed uint64) (names []string) {
		trials, err := options{seed: seed, cases: 20, run: "^kill/"}.plan()
		if err != nil {
			t.Fatal(err)
		}
		for _, tr := range trials {
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

// TestDrawMore checks that adding trials replaces few of the drawn trials.
func TestDrawMore(t *testing.T) {
	var trials plan
	addKills(&trials)
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

func TestPlan(t *testing.T) {
	trials, err := options{run: "^(kill|disk)/", cases: 5}.plan()
	if err != nil || len(trials) != 10 {
		t.Errorf("%d cases, %v", len(trials), err)
	}
	if _, err := (options{run: "("}).plan(); err == nil {
		t.Error("a bad pattern is accepted")
	}
}

func TestCheckKept(t *testing.T) {
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
		if err := checkKept([]byte(in), c.output, roles, c.keep...); (err == nil) != c.good {
			t.Errorf("%q of %v: %v", c.output, c.keep, err)
		}
	}
}

// TestCorpus checks the number of records of each role, and that the same seed produces the same
// corpus.
func TestCorpus(t *testing.T) {
	c := newCorpus(seeded(1, "test"), 200)
	counts := map[role]int{}
	for _, r := range c {
		counts[r.role]++
	}
	if counts[unique] != 160 || counts[copied] != 20 || counts[near] != 20 {
		t.Errorf("%v", counts)
	}
	if !bytes.Equal(c.jsonl(), newCorpus(seeded(1, "test"), 200).jsonl()) {
		t.Error("one seed makes two corpora")
	}
}

// TestMutations checks that every mutation changes most data, and that its result depends only on
// the seed.
func TestMutations(t *testing.T) {
	data := bytes.Repeat([]byte("some words\n"), 50)
	for _, m := range append(mutations[:len(mutations):len(mutations)], struct {
		name  string
		apply mutation
	}{"cut", cut(3, 10)}) {
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
	for _, m := range mutations {
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
		if err := compare(second, c.two, c.square); (err == nil) != c.good {
			t.Errorf("%+v: %v", c.two, err)
		}
	}
}

func TestContained(t *testing.T) {
	from := []string{"a", "b", "b"}
	for text, good := range map[string]bool{"": true, "a": true, "b b a": true, "a a": false, "c": false} {
		if err := contained(invented, strings.Fields(text), from); (err == nil) != good {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestQuoted checks that a shell reads quoted words back unchanged.
func TestQuoted(t *testing.T) {
	stagetest.Need(t, t.Name(), "bash")
	for _, s := range []string{"", "a b", "a'b", "$t", "*", "\xff\x01", "\x1b[31m", "a\nb"} {
		out, err := exec.Command("bash", "-c", "printf %s "+quoted(s)).Output()
		if err != nil || string(out) != s {
			t.Errorf("%q comes back as %q: %v", s, out, err)
		}
	}
}

// TestSlow checks that a slowReader returns all of its data, in several pieces.
func TestSlow(t *testing.T) {
	data := bytes.Repeat([]byte("0123456789"), 1000)
	var got []byte
	reads := 0
	for r, p := (&slowReader{data, seeded(1, "slow")}), make([]byte, 32<<10); ; reads++ {
		n, err := r.Read(p)
		if got = append(got, p[:n]...); err != nil {
			break
		}
	}
	if !bytes.Equal(got, data) || reads < 3 {
		t.Errorf("%d bytes in %d reads", len(got), reads)
	}
}

// TestResults checks the count of each outcome and the command printed to repeat a failure.
func TestResults(t *testing.T) {
	all := &results{counts: map[string]map[string]int{}, untried: map[string]int{}}
	for name, err := range map[string]error{"kill/a/1": nil, "kill/b/1": nil, "disk/full-o/1": notTried{"no right", true}, "disk/call/1": notTried{"no strace", false}} {
		all.add(name, err, nil)
	}
	var b strings.Builder
	failed := all.print(&b, time.Minute)
	const want = "kill         2 held     0 failed     0 not tried\ndisk         0 held     0 failed     2 not tried\n" +
		"not tried: 1: no right\nnot tried: 1: no strace\n4 cases, 0 failed, in 1m0s\n"
	if b.String() != want || failed != 0 || all.missing != 1 {
		t.Errorf("%d failed, %d missing\n%s", failed, all.missing, b.String())
	}
}

func TestExplain(t *testing.T) {
	var b strings.Builder
	options{seed: 7, bin: "x y"}.explain(&b, "kill/a.b/1", errors.New("lost"), []string{"tool i/x"})
	if got := b.String(); got != "FAILED kill/a.b/1\n\tlost\n\t$ tool i/x\n\trepeat: go run ./scripts/fault -bin 'x y' -seed 7 -keep -run '^kill/a\\.b/1$'\n" {
		t.Error(got)
	}
}

// TestMessages checks that completeMessages finds a message in any file, but only if the message
// is complete.
func TestMessages(t *testing.T) {
	r := planted(t, nil)
	all := mails(seeded(1, "test"), 4)
	if err := makeMail(r.path("i"), all); err != nil {
		t.Fatal(err)
	}
	read := func(n int) *same.Message { return same.Read(mail.Read([]byte(all[n])), same.Default()) }
	if v := same.Compare(read(1), read(2)); !v.Copy || same.Compare(read(0), read(1)).Copy {
		t.Errorf("the third message is no copy of the second: %+v", v)
	}
	before := completeMessages(r)
	if len(before) != 4 {
		t.Fatalf("%d units: %v", len(before), before)
	}
	if err := os.RemoveAll(r.path("i/maildir")); err != nil {
		t.Fatal(err)
	}
	if now := completeMessages(r); !maps.Equal(before, now) {
		t.Errorf("the mbox has only %v", now)
	}
	r.write("i/box", []byte(strings.Replace(r.read("i/box"), "end of unit002--", "end of", 1)))
	if now := completeMessages(r); len(now) != 3 || now["X-Unit: unit002"] {
		t.Errorf("a torn message counts: %v", now)
	}
}
