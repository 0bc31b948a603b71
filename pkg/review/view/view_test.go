package view

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"doppel/pkg/review"
	"doppel/pkg/review/judgement"
)

// If update is true, tests rewrite the screens in testdata before they compare them.
var update = os.Getenv("UPDATE") != ""

type fake map[string]string

func (f fake) Text(id []byte) ([]byte, error) {
	if text, ok := f[string(id)]; ok {
		return []byte(text), nil
	}
	return nil, fmt.Errorf("no record %q", id)
}

const licence = "Permission is hereby granted, free of charge, to any person obtaining a copy\nof this software.\n\nThe software is provided \"as is\".\n"

var records = fake{
	"0":       "# A title\n" + licence + "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nThe end of the first text.\n",
	"1":       "# Another title\n" + licence + "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nThe end of the second text.\nAnd a line.\n",
	"2":       "漢字かな交じり文 😀 ok\n\x1b[31mred\x1b[0m \u202eturned\n",
	"3":       "漢字かな交じり句 👍🏽 ok\n\x1b[32mgreen\x1b[0m\n",
	"a\x1b[m": "x",
}

var lines = []string{"0\t1\t0.9000", "2\t3\t0.8000", "a\x1b[m\t9\t0.7950", "3\t0"}

// A bench is a model and the effects passed to its function Save.
type bench struct {
	*Model
	saved []review.Effect
}

func start(t testing.TB, texts review.Texts, lines []string, width, height int) *bench {
	t.Helper()
	l := review.NewList()
	t.Cleanup(func() { l.Close() })
	for _, line := range lines {
		if err := l.Add([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	l.End(nil)
	b := &bench{}
	b.Model = &Model{Session: &review.Session{List: l, Ledger: &judgement.Ledger{}}, Texts: texts}
	b.Save = func(e review.Effect) error {
		b.saved = append(b.saved, e)
		return nil
	}
	b.run(b.Init())
	b.send(tea.WindowSizeMsg{Width: width, Height: height})
	return b
}

// run executes a command, and then all commands that result from its message.
func (b *bench) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil, tea.QuitMsg:
	case tea.BatchMsg:
		for _, one := range msg {
			b.run(one)
		}
	default:
		b.send(msg)
	}
}

func (b *bench) send(msg tea.Msg) {
	_, cmd := b.Update(msg)
	b.run(cmd)
}

// press sends keys, which are separated by spaces in the argument, to the model.
func (b *bench) press(keys string) {
	for _, k := range strings.Fields(keys) {
		b.send(keyMsg(k))
	}
}

var named = map[string]rune{
	"enter": tea.KeyEnter, "space": tea.KeySpace, "down": tea.KeyDown, "up": tea.KeyUp, "left": tea.KeyLeft,
	"right": tea.KeyRight, "esc": tea.KeyEscape, "pgdown": tea.KeyPgDown, "pgup": tea.KeyPgUp, "home": tea.KeyHome, "end": tea.KeyEnd,
}

func keyMsg(k string) tea.KeyPressMsg {
	if code, ok := named[k]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	return tea.KeyPressMsg{Code: []rune(k)[0], Text: k}
}

// screen returns the screen as text without escape sequences.
func (b *bench) screen() string {
	var out strings.Builder
	for _, line := range strings.Split(b.View().Content, "\n") {
		out.WriteString(strings.TrimRight(ansi.Strip(line), " ") + "\n")
	}
	return out.String()
}

// golden compares a screen with testdata/NAME.txt, where NAME is the given name.
func golden(t *testing.T, name, got string) {
	t.Helper()
	name = filepath.Join("testdata", name+".txt")
	if update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if d := cmp.Diff(string(want), got); err != nil || d != "" {
		t.Errorf("%s: %v\n%s", name, err, d)
	}
}

func TestScreens(t *testing.T) {
	for _, size := range []struct{ width, height int }{{80, 24}, {40, 12}, {120, 30}} {
		for name, keys := range map[string]string{
			"first": "", "unfolded": "f", "difference": "f d d", "wide": "s", "missing": "s s", "unscored": "s s s",
			"help": "?", "morehelp": "? down down j", "table": "a b t", "judged": "a p", "both": "2 p", "none": "0 p", "asked": "/ w o r", "nokey": "x", "last": "s s s s",
		} {
			if size.width != 80 && name != "first" && name != "wide" && name != "help" && name != "morehelp" && name != "table" {
				continue
			}
			b := start(t, records, lines, size.width, size.height)
			b.press(keys)
			golden(t, fmt.Sprintf("%s-%dx%d", name, size.width, size.height), b.screen())
		}
	}
}

// TestSizes checks that, whatever the size of the screen, the view is neither wider nor higher than
// the screen, and nothing in ids or texts controls the terminal.
func TestSizes(t *testing.T) {
	for _, width := range []int{1, 2, 5, 20, 39, 40, 59, 60, 80, 200} {
		for _, height := range []int{1, 2, 3, 4, 5, 10, 24, 60} {
			b := start(t, records, lines, 80, 24)
			b.send(tea.WindowSizeMsg{Width: width, Height: height})
			for _, key := range strings.Fields("s s s p p p f d ? ? t t end / x enter") {
				b.press(key)
				check(t, b, width, height, key)
			}
		}
	}
}

func check(t *testing.T, b *bench, width, height int, key string) {
	t.Helper()
	all := strings.Split(b.View().Content, "\n")
	if len(all) > height {
		t.Errorf("%dx%d, %s: %d lines", width, height, key, len(all))
	}
	for _, line := range all {
		if w := ansi.StringWidthWc(line); w > width {
			t.Errorf("%dx%d, %s: a line is %d wide: %q", width, height, key, w, line)
		}
		for _, known := range []string{onlyA, onlyB, faint, reverse, plain} {
			line = strings.ReplaceAll(line, known, "")
		}
		if strings.ContainsAny(line, "\x1b\x07\x08\r\u202e") {
			t.Errorf("%dx%d, %s: %q", width, height, key, line)
		}
	}
}

func TestSave(t *testing.T) {
	b := start(t, records, lines, 80, 24)
	b.press("a p 2 u s s b")
	want := []review.Effect{review.Appended, review.Rewrote, review.Rewrote, review.Appended}
	if d := cmp.Diff(want, b.saved); d != "" {
		t.Error(d)
	}
	b.Save = func(review.Effect) error { return errors.New("no space left on device") }
	b.press("a")
	if !strings.Contains(b.screen(), "no space left on device") {
		t.Error(b.screen())
	}
	if _, cmd := b.Update(keyMsg("a")); b.Err() == nil || cmd == nil {
		t.Error("a run that cannot save goes on")
	}
}

func TestFind(t *testing.T) {
	b := start(t, records, lines, 80, 24)
	b.press("/ g r e e n enter")
	if b.Session.At != 1 {
		t.Errorf("found %d", b.Session.At)
	}
	if b.press("n"); b.Session.At != 3 {
		t.Errorf("found %d then", b.Session.At)
	}
	if b.press("/ n o n e enter"); b.Session.At != 3 || !strings.Contains(b.screen(), "none: in none of the pairs") {
		t.Error(b.screen())
	}
}

// TestNear checks that the pairs nearest to the threshold are shown first, and that a run
// continues where the previous one stopped.
func TestNear(t *testing.T) {
	b := start(t, records, lines, 80, 24)
	b.Session.Cut, b.Session.HasCut, b.Near = .8, true, true
	b.Session.Ledger.Decide(judgement.Pair{A: "3", B: "2", Score: .8}, judgement.Both)
	b.began = false
	b.run(b.Init())
	if b.Session.At != 1 {
		t.Errorf("it goes on with %d", b.Session.At)
	}
	golden(t, "near-80x24", b.screen())
}

// TestFirst checks that the first pair is shown as soon as it is read, or, if pairs are ordered by
// their distance from a threshold, not before all pairs have been read.
func TestFirst(t *testing.T) {
	for _, near := range []bool{false, true} {
		l := review.NewList()
		if err := l.Add([]byte(lines[0])); err != nil {
			t.Fatal(err)
		}
		m := &Model{Session: &review.Session{List: l, Ledger: &judgement.Ledger{}, HasCut: near, Cut: .8}, Texts: records, Near: near}
		b := &bench{Model: m}
		first := b.Init()
		if !near {
			b.Update(first()) // unlike send, this does not run the command that waits for the end of the list
		}
		if b.send(tea.WindowSizeMsg{Width: 80, Height: 24}); b.began == near {
			t.Errorf("near: %v, shown: %v", near, b.began)
		}
		l.End(nil)
		l.Close()
	}
}

// TestLong checks that only the beginning of long texts is shown first, and that the whole texts
// are shown eventually.
func TestLong(t *testing.T) {
	texts := fake{"0": long(0), "1": long(1)}
	b := start(t, texts, []string{"0\t1\t0.9000"}, 80, 24)
	all := len(b.rows())
	if b.shown.part || all < 1000 {
		t.Errorf("%d rows, %v", all, b.shown.part)
	}
	b.wanted = job{}
	b.Update(b.load()()) // unlike send, this does not run the command that compares the whole texts
	if !b.shown.part || len(b.rows()) > all/10 || !strings.Contains(b.screen(), "this is the first part") {
		t.Errorf("the first part has %d rows of %d", len(b.rows()), all)
	}
}

// long returns a text of 1 MB.
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

// BenchmarkKey measures handling a key and drawing the screen while texts of 1 MB are
// shown: scrolling, and going to the next pair.
func BenchmarkKey(b *testing.B) {
	texts := fake{"0": long(0), "1": long(1), "2": long(2)}
	for _, keys := range []string{"down", "end home", "d", "s p"} {
		b.Run(keys, func(b *testing.B) {
			m := start(b, texts, []string{"0\t1\t0.9000", "0\t2\t0.9000"}, 200, 50)
			for b.Loop() {
				for _, k := range strings.Fields(keys) {
					m.Update(keyMsg(k)) // unlike press, this does not wait for the background
					m.View()
				}
			}
		})
	}
}
