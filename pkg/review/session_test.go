package review

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"doppel/pkg/review/judgement"
)

// press presses keys, which are separated by spaces in the argument, and returns their effects.
func press(s *Session, keys string) (effects []Effect) {
	for _, k := range strings.Fields(keys) {
		effects = append(effects, s.Press(k))
	}
	return effects
}

func TestPress(t *testing.T) {
	lines := []string{"0\t1\t0.9000", "0\t2\t0.8500", "3\t4\t0.8000", "5\t6\t0.7000"}
	for keys, want := range map[string]struct {
		at      int
		message string
		lines   string
		effects []Effect
	}{
		"":                                {0, "", "", nil},
		"a":                               {1, "", "drop 1 0", []Effect{Appended}},
		"a p 2":                           {1, "", "keep 1 0", []Effect{Appended, Nothing, Rewrote}},
		"a u":                             {0, "undone", "", []Effect{Appended, Rewrote}},
		"u":                               {0, "nothing to undo", "", []Effect{Nothing}},
		"s s s s":                         {3, "this is the last pair", "", []Effect{0, 0, 0, 0}},
		"p":                               {0, "this is the first pair", "", []Effect{Nothing}},
		"g":                               {2, "", "", []Effect{Nothing}},
		"g g g":                           {3, "this is the last group", "", []Effect{0, 0, 0}},
		"= . 7 1 enter":                   {3, "", "", []Effect{0, 0, 0, 0, 0}},
		"= x enter":                       {0, `invalid score "x": want a number`, "", []Effect{0, 0, 0}},
		"= 7 esc":                         {0, "", "", []Effect{0, 0, 0}},
		"/ c backspace a t space b enter": {0, "searching", "", []Effect{0, 0, 0, 0, 0, 0, 0, Find}},
		"n":                               {0, "no search yet: / starts one", "", []Effect{Nothing}},
		"q":                               {0, "", "", []Effect{Quit}},
		"x":                               {0, "", "", []Effect{Unknown}},
		"s s s 0":                         {3, "keep none; this is the last pair", "drop 5 -;drop 6 -", []Effect{0, 0, 0, Appended}},
		"b b":                             {2, "", "drop 0 1;drop 0 2", []Effect{Appended, Appended}},
	} {
		s := &Session{List: listOf(t, lines...), Ledger: &judgement.Ledger{}}
		effects := press(s, keys)
		var got []string
		for l := range strings.Lines(string(s.Ledger.Lines())) {
			f := strings.Split(l, "\t")
			got = append(got, strings.Join(f[:3], " "))
		}
		if s.At != want.at || s.Message != want.message || strings.Join(got, ";") != want.lines {
			t.Errorf("%q: at %d, %q, %q", keys, s.At, s.Message, got)
		}
		if d := cmp.Diff(want.effects, effects); d != "" {
			t.Errorf("%q: %s", keys, d)
		}
	}
}

func TestPressEmpty(t *testing.T) {
	s := &Session{List: listOf(t), Ledger: &judgement.Ledger{}}
	press(s, "a b 2 0 s p g u = 1 enter")
	if s.At != 0 || len(s.Ledger.All()) != 0 {
		t.Errorf("at %d, %v", s.At, s.Ledger.All())
	}
}

func TestStood(t *testing.T) {
	lines := []string{"0\t1\t0.9000", "0\t2\t0.8500", "3\t4\t0.8000", "5\t6\t0.7000"}
	for _, c := range []struct {
		decided []string
		order   []int32
		want    int
	}{
		{nil, nil, 0},
		{[]string{"0 1"}, nil, 1},
		{[]string{"4 3", "0 1"}, nil, 3},
		{[]string{"5 6"}, nil, 3},
		{[]string{"x y", "0 1"}, nil, 1},
		{[]string{"0 1"}, []int32{2, 1, 0, 3}, 0},
		{[]string{"3 4", "5 6"}, []int32{2, 1, 0, 3}, 1},
	} {
		s := &Session{List: listOf(t, lines...), Ledger: &judgement.Ledger{}, Order: c.order, HasCut: c.order != nil}
		for _, d := range c.decided {
			f := strings.Fields(d)
			if err := s.Ledger.Decide(judgement.Pair{A: f[0], B: f[1], Score: .5}, judgement.Both); err != nil {
				t.Fatal(err)
			}
		}
		if got := s.Stood(); got != c.want {
			t.Errorf("%v: %d, want %d", c.decided, got, c.want)
		}
	}
}

// A fake implements Texts with a map from ids to texts.
type fake map[string]string

func (f fake) Text(id []byte) ([]byte, error) {
	if text, ok := f[string(id)]; ok {
		return []byte(text), nil
	}
	return nil, fmt.Errorf("no record %q", id)
}

func TestSearch(t *testing.T) {
	s := &Session{List: listOf(t, "0\t1", "1\t2", "doc\t3"), Ledger: &judgement.Ledger{}}
	texts := fake{"0": "a cat", "1": "a hat", "2": "a bat"}
	for query, want := range map[string]int{"cat": 0, "hat": 1, "doc": 2, "bat": 1, "rat": -1} {
		if got := s.Search(context.Background(), texts, query, 0); got != want {
			t.Errorf("%s: %d, want %d", query, got, want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if got := s.Search(ctx, texts, "cat", 0); got != -1 {
		t.Errorf("a search that was given up found %d", got)
	}
}

// draw returns the rows of a sheet as text, with differences in brackets.
func draw(rows []Row) string {
	var b strings.Builder
	for _, r := range rows {
		if r.Equal > 0 {
			fmt.Fprintf(&b, "(%d)\n", r.Equal)
			continue
		}
		for i, side := range [][]string{{}, {}} {
			spans := r.Left
			if i == 1 {
				b.WriteRune(r.Mark)
				spans = r.Right
			}
			for _, s := range spans {
				if s.Shared {
					side = append(side, s.Text)
				} else {
					side = append(side, "["+s.Text+"]")
				}
			}
			b.WriteString(strings.Join(side, ""))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestSheet(t *testing.T) {
	lines := func(from, to int) (s string) {
		for i := from; i < to; i++ {
			s += fmt.Sprintf("line %d\n", i)
		}
		return s
	}
	for _, c := range []struct{ name, a, b, rows, folded string }{
		{"empty", "", "", "", ""},
		{"a word", "the quick brown fox\n", "the quick red fox\n", "the quick [brown] fox|the quick [red] fox\n", ""},
		{"a line more", "one line\nlast one\n", "one line\nin between\nlast one\n", "one line one line\n>[in between]\nlast one last one\n", ""},
		{"nothing", "some\n", "", "[some]<\n", ""},
		{"hostile", "a \x1b[31m\u202e z\n", "a z\n", "a[ ␛[31m\ufffd] z|a z\n", ""},
		{"wide", "漢字 in 日本\n", "漢字 in 中国\n", "漢字 in [日本]|漢字 in [中国]\n", ""},
		{"folded", lines(0, 12) + "x\n" + lines(12, 24), lines(0, 12) + "y\n" + lines(12, 24), "",
			"(9)\nline 9 line 9\nline 10 line 10\nline 11 line 11\n[x]|[y]\nline 12 line 12\nline 13 line 13\nline 14 line 14\n(9)\n"},
	} {
		s, err := NewSheet(c.a, c.b, 40)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(c.rows, draw(s.Rows)); c.rows+c.folded == "" && d != "" || c.rows != "" && d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
		if d := cmp.Diff(c.folded, draw(s.Folded)); c.folded != "" && d != "" {
			t.Errorf("%s, folded: %s", c.name, d)
		}
	}
}

func TestNextDifference(t *testing.T) {
	var rows []Row
	for _, mark := range " || <> " {
		rows = append(rows, Row{Mark: mark})
	}
	for from, want := range []int{1, 4, 4, 4, 4, 5, 6} {
		if got := NextDifference(rows, from); got != want {
			t.Errorf("behind %d: %d, want %d", from, got, want)
		}
	}
}

func BenchmarkAdd(b *testing.B) {
	l := NewList()
	defer l.Close()
	line := []byte("123456\t7654321\t0.9683\t0.9839\t0.9839\t124\t124")
	for b.Loop() {
		if err := l.Add(line); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkNearest orders a million pairs by their distance to a threshold.
func BenchmarkNearest(b *testing.B) {
	l := NewList()
	defer l.Close()
	for i := range 1_000_000 {
		if err := l.Add(fmt.Appendf(nil, "%d\t%d\t%.4f", i, i+1, .5+float64(i*7919%5000)/1e4)); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		l.Nearest(.8)
	}
}

func BenchmarkSheet(b *testing.B) {
	x, y := long(0), long(1)
	b.SetBytes(int64(len(x)))
	for b.Loop() {
		if _, err := NewSheet(x, y, 38); err != nil {
			b.Fatal(err)
		}
	}
}

func long(salt int) string {
	var s strings.Builder
	for i := 0; s.Len() < 1<<20; i++ {
		if i%100 == 0 {
			fmt.Fprintf(&s, "other%d%d\n", i, salt)
		}
		fmt.Fprintf(&s, "word%d ", i*7919%10007)
	}
	return s.String()
}
