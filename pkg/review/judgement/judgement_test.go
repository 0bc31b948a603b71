package judgement

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		line string
		want Pair
		ok   bool
		err  string
	}{
		{"0\t12\t0.9683\t0.9839\t0.9839\t124\t124", Pair{"0", "12", .9683}, true, ""},
		{"0\t12\t0.9683", Pair{"0", "12", .9683}, true, ""},
		{"a\\tb\t12", Pair{"a\tb", "12", math.NaN()}, true, ""},
		{`{"a":"0","b":"1","score":0.5}`, Pair{"0", "1", .5}, true, ""},
		{`{"a":"0","b":"1"}`, Pair{"0", "1", math.NaN()}, true, ""},
		{"drop\t5\t3\t0.8300\tscore>=0.8", Pair{"3", "5", .83}, true, ""},
		{`{"verdict":"drop","id":"5","kept":"3","score":0.83,"reason":"x"}`, Pair{"3", "5", .83}, true, ""},
		{"drop\t5\t3\t-\tduplicate", Pair{"3", "5", math.NaN()}, true, ""},
		{"keep\t5\t-\t-\tbest", Pair{}, false, ""},
		{"drop\t5\t-\t12.0000\tlength<50", Pair{}, false, ""},
		{"drop\tkeep\t0.5000", Pair{"drop", "keep", .5}, true, ""},
		{"0", Pair{}, false, "want the columns"},
		{"0\t1\tx", Pair{}, false, "score"},
	} {
		got, ok, err := Parse([]byte(c.line))
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: error %v", c.line, err)
			}
			continue
		}
		if d := cmp.Diff(c.want, got, cmpopts.EquateNaNs()); err != nil || ok != c.ok || c.ok && d != "" {
			t.Errorf("%s: %v, %v\n%s", c.line, ok, err, d)
		}
	}
}

func pair(a, b string) Pair { return Pair{a, b, .8} }

func TestLedger(t *testing.T) {
	type step struct {
		a, b string
		v    Verdict
		err  string
	}
	for name, c := range map[string]struct {
		steps []step
		want  string
	}{
		"one of each": {[]step{{"0", "1", KeepA, ""}, {"2", "3", KeepB, ""}, {"4", "5", Both, ""}, {"6", "7", Neither, ""}},
			"drop\t1\t0\t0.8000\tsame\ndrop\t2\t3\t0.8000\tsame\nkeep\t5\t4\t0.8000\tdistinct\ndrop\t6\t-\t0.8000\tneither\ndrop\t7\t-\t0.8000\tneither\n"},
		"a chain": {[]step{{"0", "1", KeepA, ""}, {"1", "2", KeepA, ""}}, "drop\t1\t0\t0.8000\tsame\ndrop\t2\t1\t0.8000\tsame\n"},
		"said anew, sides changed": {[]step{{"0", "1", KeepA, ""}, {"2", "3", KeepA, ""}, {"1", "0", Both, ""}},
			"drop\t3\t2\t0.8000\tsame\nkeep\t0\t1\t0.8000\tdistinct\n"},
		"a circle":        {[]step{{"0", "1", KeepA, ""}, {"1", "2", KeepA, ""}, {"0", "2", KeepB, "0 would be dropped in favour of 2, which leads back to 0"}}, "drop\t1\t0\t0.8000\tsame\ndrop\t2\t1\t0.8000\tsame\n"},
		"for one dropped": {[]step{{"0", "1", Neither, ""}, {"1", "2", KeepA, "which is dropped"}}, "drop\t0\t-\t0.8000\tneither\ndrop\t1\t-\t0.8000\tneither\n"},
		"a kept one away": {[]step{{"0", "1", KeepA, ""}, {"0", "2", Neither, "which is dropped"}}, "drop\t1\t0\t0.8000\tsame\n"},
		"a circle undone": {[]step{{"0", "1", KeepA, ""}, {"0", "1", KeepB, ""}}, "drop\t0\t1\t0.8000\tsame\n"},
	} {
		var l Ledger
		for _, s := range c.steps {
			err := l.Decide(pair(s.a, s.b), s.v)
			if (err == nil) != (s.err == "") || err != nil && !strings.Contains(err.Error(), s.err) {
				t.Errorf("%s: %s and %s: %v", name, s.a, s.b, err)
			}
		}
		if d := cmp.Diff(c.want, string(l.Lines())); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		again, whole, err := ParseJudgements([]byte(c.want))
		if err != nil || whole != len(c.want) || string(again.Lines()) != c.want {
			t.Errorf("%s: read back %d bytes, %v", name, whole, err)
		}
	}
}

func TestUndo(t *testing.T) {
	var l Ledger
	states := []string{""}
	for _, j := range []Judgement{{pair("0", "1"), KeepA}, {pair("2", "3"), Both}, {pair("1", "0"), KeepA}, {pair("4", "5"), Neither}} {
		if err := l.Decide(j.Pair, j.Verdict); err != nil {
			t.Fatal(err)
		}
		states = append(states, string(l.Lines()))
	}
	if v := l.Of(pair("0", "1")); v != KeepB {
		t.Errorf("sides changed, it is %v", v)
	}
	for i := len(states) - 2; i >= 0; i-- {
		if _, err := l.Undo(); err != nil || string(l.Lines()) != states[i] {
			t.Errorf("state %d: %q, %v, want %q", i, l.Lines(), err, states[i])
		}
	}
	if _, err := l.Undo(); err == nil {
		t.Error("there is something to undo")
	}
}

// TestTorn checks that, if a file is truncated at any byte, its complete judgements are read, and
// judgements can be appended and undone.
func TestTorn(t *testing.T) {
	name := filepath.Join(t.TempDir(), "decisions")
	const whole = "drop\t1\t0\t0.8000\tsame\ndrop\t6\t-\t0.8000\tneither\ndrop\t7\t-\t0.8000\tneither\n"
	for cut := range len(whole) + 1 {
		if err := os.WriteFile(name, []byte(whole[:cut]), 0o600); err != nil {
			t.Fatal(err)
		}
		j, l, torn, err := OpenJournal(name)
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		want := []string{"", whole[:strings.Index(whole, "\n")+1], whole}[len(l.All())]
		// A judgement that lacks only the last LF is complete, so torn is 0.
		if len(want)+torn != cut && !(torn == 0 && len(want) == cut+1) {
			t.Errorf("cut at %d: %d judgements, %d bytes torn", cut, len(l.All()), torn)
		}
		if err := l.Decide(pair("8", "9"), KeepA); err != nil {
			t.Fatal(err)
		}
		if err := j.Append(l); err != nil {
			t.Fatal(err)
		}
		checkFile(t, name, want+"drop\t9\t8\t0.8000\tsame\n")
		if _, err := l.Undo(); err != nil {
			t.Fatal(err)
		}
		before, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := j.Rewrite(l); err != nil {
			t.Fatal(err)
		}
		checkFile(t, name, want)
		if after, err := os.Stat(name); err != nil || os.SameFile(before, after) {
			t.Errorf("rewritten in place: %v", err)
		}
		j.Close()
	}
}

// TestNoFinalLF checks that a complete last line without LF is accepted, and that a file that ends
// with anything but a judgement or the start of one is rejected and left unchanged.
func TestNoFinalLF(t *testing.T) {
	const a, b, n1, n2 = "drop\t1\t0\t0.8000\tsame", "keep\t3\t2\t-\tdistinct", "drop\t6\t-\t1.0000\tneither", "drop\t7\t-\t1.0000\tneither"
	for _, c := range []struct{ text, want, torn string }{
		{a, a + "\n", ""},
		{a + "\n" + b, a + "\n" + b + "\n", ""},
		{n1 + "\n" + n2, n1 + "\n" + n2 + "\n", ""},
		{a + "\n" + "drop\t0\t1\t1\tsame", "drop\t0\t1\t1.0000\tsame\n", ""},
		{a + "\n" + n1, a + "\n", n1},
		{a + "\n" + b[:len(b)-1], a + "\n", b[:len(b)-1]},
		{a + "\n" + n1 + "\n" + "dr", a + "\n", n1 + "\n" + "dr"},
		{"keep\ta\tb\t0.", "", "keep\ta\tb\t0."},
		{`{"precious":1}`, "refused", ""},
		{"dropped", "refused", ""},
		{"drop\t1\t0\t0.8000\tscore>=0.8", "refused", ""},
		{"drop\t1\t0\tx", "refused", ""},
		{"drop\t1\t0\t0.8000\t\t", "refused", ""},
		{a + "\n" + "hello", "refused", ""},
		{a + "\n" + n1 + "\n" + "hello", "refused", ""},
		{a + "\n\x00\x00\x00", "refused", ""},
	} {
		name := filepath.Join(t.TempDir(), "decisions")
		if err := os.WriteFile(name, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		j, l, torn, err := OpenJournal(name)
		if c.want == "refused" {
			if err == nil || !strings.HasPrefix(err.Error(), name+": line ") {
				t.Errorf("%q: %v", c.text, err)
			}
			checkFile(t, name, c.text)
			continue
		}
		if err != nil || string(l.Lines()) != c.want || torn != len(c.torn) {
			t.Errorf("%q: %v, %d torn", c.text, err, torn)
			continue
		}
		if err := errors.Join(l.Decide(pair("8", "9"), KeepA), j.Append(l)); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(name)
		if err != nil || c.want != "" && !strings.HasSuffix(string(got), "\ndrop\t9\t8\t0.8000\tsame\n") {
			t.Errorf("%q: %q, %v", c.text, got, err)
		}
		if again, whole, err := ParseJudgements(got); err != nil || whole != len(got) || string(again.Lines()) != string(l.Lines()) {
			t.Errorf("%q: %q, %v", c.text, got, err)
		}
		j.Close()
	}
}

// TestLocked checks that a journal cannot be opened twice, because two processes that changed it at
// the same time would overwrite each other's judgements.
func TestLocked(t *testing.T) {
	name := filepath.Join(t.TempDir(), "decisions")
	j, l, _, err := OpenJournal(name)
	if err != nil {
		t.Fatal(err)
	}
	locked := func(when string) {
		t.Helper()
		if _, _, _, err := OpenJournal(name); err == nil || !strings.Contains(err.Error(), name+": another") {
			t.Errorf("%s: %v", when, err)
		}
	}
	locked("opened")
	if err := errors.Join(l.Decide(pair("8", "9"), KeepA), j.Append(l), j.Rewrite(l)); err != nil {
		t.Fatal(err)
	}
	locked("written anew")
	j.Close()
	j, l, _, err = OpenJournal(name)
	if err != nil || len(l.All()) != 1 {
		t.Fatalf("%d, %v", len(l.All()), err)
	}
	j.Close()
}

func checkFile(t *testing.T, name, want string) {
	t.Helper()
	got, err := os.ReadFile(name)
	if err != nil || string(got) != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}

func TestNoJudgements(t *testing.T) {
	for text, want := range map[string]string{
		"drop\t1\t0\t0.8\tscore>=0.8\n":                                      "line 1: not a decision of dupreview",
		"drop\t1\t0\t0.8\tsame\nhello\n":                                     "line 2: ",
		"drop\t1\t-\t0.8\tneither\ndrop\t1\t0\t0.8\tsame\n":                  "line 1: pair of \"1\": want a second line",
		"drop\t1\t0\t0.8\tsame\ndrop\t0\t1\t0.8\tsame\n":                     "",
		"drop\t1\t0\t0.8\tsame\ndrop\t2\t1\t.8\tsame\ndrop\t0\t2\t1\tsame\n": "line 3: ",
	} {
		_, _, err := ParseJudgements([]byte(text))
		if (want == "") != (err == nil) || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// FuzzJudgements checks that the judgements read from a file are written back unchanged,
// and that the result is accepted again.
func FuzzJudgements(f *testing.F) {
	f.Add("drop\t1\t0\t0.8000\tsame\nkeep\t3\t2\t-\tdistinct\ndrop\t6\t-\t1.0000\tneither\ndrop\t7\t-\t1.0000\tneither\ntorn")
	f.Fuzz(func(t *testing.T, s string) {
		l, _, err := ParseJudgements([]byte(s))
		if err != nil {
			return
		}
		lines := l.Lines()
		again, whole, err := ParseJudgements(lines)
		if err != nil || whole != len(lines) || string(again.Lines()) != string(lines) {
			t.Errorf("%q is written %q and read back as %d bytes, %v", s, lines, whole, err)
		}
	})
}

func TestCuts(t *testing.T) {
	all := []Judgement{
		{Pair{"0", "1", .79}, Both}, {Pair{"2", "3", .8}, KeepA}, {Pair{"4", "5", .801}, Both},
		{Pair{"6", "7", .85}, KeepB}, {Pair{"8", "9", .9}, Neither}, {Pair{"a", "b", math.NaN()}, Both},
	}
	var got []string
	for _, c := range Cuts(all) {
		got = append(got, fmt.Sprintf("%.2f %d/%d %.3f-%.3f", c.At, c.Same, c.Of, c.Share.Low, c.Share.High))
	}
	want := []string{"0.79 2/4 0.150-0.850", "0.80 2/3 0.208-0.939", "0.85 1/1 0.207-1.000"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if cuts := Cuts(nil); len(cuts) != 0 {
		t.Error(cuts)
	}
}
