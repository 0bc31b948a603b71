package keepdrop

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// withOptions returns the default options, modified by change.
func withOptions(change func(*Options)) *Options {
	o := Default()
	change(&o)
	return &o
}

func TestCheck(t *testing.T) {
	for want, o := range map[string]*Options{
		"one of --decisions, --keep and --drop is required":              withOptions(func(*Options) {}),
		"one of --decisions, --keep and --drop is required ":             withOptions(func(o *Options) { o.Keep, o.Drop = "a", "b" }),
		"--column 0: want 1 or more":                                     withOptions(func(o *Options) { o.Keep, o.Column = "a", 0 }),
		"--column applies only to --keep and --drop, not to --decisions": withOptions(func(o *Options) { o.Decisions, o.Column = "a", 2 }),
		"--cut drops parts, so it cannot be used with --keep":            withOptions(func(o *Options) { o.Keep, o.Cut = "a", true }),
		"": withOptions(func(o *Options) { o.Drop, o.Cut, o.Column = "a", true, 2 }),
	} {
		got := ""
		if err := o.Check(); err != nil {
			got = err.Error()
		}
		if got != strings.TrimSpace(want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// leadToKept is a simple implementation of checkKept. It reports whether each chain of
// kept records ends at a kept record.
func leadToKept(drops map[int]bool, keptFor map[int]int) bool {
	for n := range keptFor {
		for steps := 0; drops[n]; steps++ {
			next, ok := keptFor[n]
			if !ok || steps > len(keptFor) {
				return false
			}
			n = next
		}
	}
	return true
}

func TestKept(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	refused := 0
	for range 3000 {
		var l list
		drops, keptFor := map[int]bool{}, map[int]int{}
		n := 2 + random.IntN(12)
		for range random.IntN(n) {
			from, to := random.IntN(n), random.IntN(n)
			kept := "-"
			if drops[from] = true; from != to {
				keptFor[from], kept = to, fmt.Sprint(to)
			}
			if err := l.addDecision(fmt.Appendf(nil, "drop\t%d\t%s\t-\t-", from, kept)); err != nil {
				t.Fatal(err)
			}
		}
		err := l.checkKept()
		if want := leadToKept(drops, keptFor); want != (err == nil) {
			t.Fatalf("%v %v: %v", drops, keptFor, err)
		}
		if err != nil {
			refused++
		}
	}
	if refused < 300 || refused > 2700 {
		t.Errorf("%d of 3000 were refused", refused)
	}
}

// The bitmap and the table agree on each ordinal, and a list of few large ordinals gets no bitmap.
func TestBitmap(t *testing.T) {
	for _, c := range []struct {
		ids   string
		bits  bool
		bytes int
	}{
		{"", false, 0},
		{"0 1 2", true, 8},
		{"7 a 300 2#0-9 007", true, 40},
		{"a", true, 0},
		{"99999999999999999", false, 0},
		{"1 8000", true, 8008},
		{"1 9000", false, 0},
	} {
		var l list
		for id := range strings.FieldsSeq(c.ids) {
			l.drops.Add(int64(l.ids.Intern([]byte(id))))
		}
		l.buildBitmap()
		if (l.listed != nil) != c.bits || len(l.listed) > c.bytes/8+1 {
			t.Errorf("%s: %d words", c.ids, len(l.listed))
		}
		for n := range int64(10_000) {
			_, listed := l.ids.Lookup(fmt.Append(nil, n))
			if l.lacks(n) && listed || c.bits && l.lacks(n) != !listed || l.isCopied(n) == listed {
				t.Errorf("%s: %d is listed: %v", c.ids, n, listed)
			}
		}
	}
}

// Every input either is rejected or yields a list in which every dropped id is listed and every
// chain of kept records leads to a kept id.
func FuzzList(f *testing.F) {
	f.Add("drop\t1\t0\t1.0000\tscore>=0.8\nkeep\t0\t-\t-\tbest", "1", false)
	f.Add(`{"verdict":"drop","id":"a","kept":"-"}`, "a", false)
	f.Add("drop\t1\t0\t1.0000\tx", "1", true)
	f.Fuzz(func(t *testing.T, lines, id string, ordinals bool) {
		l := list{ordinals: ordinals, why: new(reasons)}
		for text := range strings.Lines(lines) {
			if l.addDecision([]byte(strings.TrimSuffix(text, "\n"))) != nil {
				return
			}
		}
		if l.checkKept() != nil {
			return
		}
		n, listed, drop := l.lookUp([]byte(id))
		if drop && !listed {
			t.Errorf("%q is dropped and not listed", id)
		}
		for kept, ok := l.keptOf(n); listed && ok && drop; kept, ok = l.keptOf(n) {
			n, _, drop = l.lookUp(l.id(kept))
		}
		if listed && l.keptFor != nil && drop {
			if _, ok := l.keptOf(n); ok {
				t.Errorf("%q leads to what is dropped", id)
			}
		}
	})
}
