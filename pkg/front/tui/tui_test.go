package tui

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"doppel/pkg/review"
	"doppel/pkg/tool"
	"doppel/pkg/toolbox"
)

// testdata is where screens are; tests change their directory.
var testdata, _ = filepath.Abs("testdata")

var update = flag.Bool("update", false, "rewrite the screens in testdata")

// TestMain makes the test's own binary each tool, as doppel is.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "tui" {
		os.Exit(tool.Run(Command(), tool.Std{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}))
	}
	if len(os.Args) > 1 {
		if c := toolbox.Find(os.Args[1]); c != nil {
			std := tool.OS()
			std.Args = std.Args[1:]
			os.Exit(tool.Run(c, std))
		}
	}
	os.Exit(m.Run())
}

// A fake is a worker that has all at once.
type fake struct {
	asked []string
	fail  error
}

func (f *fake) note(what string, s Setup) error {
	f.asked = append(f.asked, what+" "+s.Command())
	return f.fail
}

func (f *fake) Look(files []string) ([]string, []string, error) {
	return []string{"# record 0", "  text: \"a \x1b[31mcat\""}, []string{"body", "title"}, f.note("look", Setup{Files: files})
}

func (f *fake) Sample(s Setup) (*Sample, error) {
	return newSample([][]byte{[]byte(words(0)), []byte(words(0)), []byte(words(1)), []byte(words(9))}, 1), f.note("sample", s)
}

// words is a text of forty words, of which some are others.
func words(others int) string {
	var s strings.Builder
	for i := range 40 {
		if i < others {
			i += 100 * others
		}
		fmt.Fprintf(&s, "w%d ", i)
	}
	return s.String()
}

func (f *fake) Text(id []byte) ([]byte, error) { return []byte("text of " + string(id) + "\n"), nil }

func (f *fake) Run(s Setup, tell func(string)) (*Outcome, error) {
	tell("recsign: 17 done")
	list := review.NewList()
	for _, line := range []string{"drop\t1\t0\t0.9500", "drop\t2\t0\t0.8500", "drop\t5\t4\t1.0000"} {
		if err := list.Add([]byte(line + "\tscore>=0.8")); err != nil {
			return nil, err
		}
	}
	list.End(nil)
	if s.Job == Exact {
		return &Outcome{Told: "7 records, 2 duplicates, 5 kept"}, f.note("run", s)
	}
	return &Outcome{Pairs: list, Texts: f, Told: "3 records would be dropped"}, f.note("run", s)
}

func (f *fake) Write(s Setup) (string, error) { return "wrote " + s.Output, f.note("write", s) }
func (f *fake) Close()                        {}

// start makes a screen for a directory of two files and a directory.
func start(t *testing.T, work Worker, width, height int) *Model {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"a.jsonl", "b.jsonl", ".hidden", "sub/c.jsonl"} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	m, err := New(".", work)
	if err != nil {
		t.Fatal(err)
	}
	send(m, tea.WindowSizeMsg{Width: width, Height: height})
	return m
}

// send sends a message, and what follows from it.
func send(m *Model, msg tea.Msg) (quit bool) {
	_, cmd := m.Update(msg)
	return run(m, cmd)
}

func run(m *Model, cmd tea.Cmd) (quit bool) {
	if cmd == nil {
		return false
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.QuitMsg:
		return true
	case tea.BatchMsg:
		done := make(chan tea.Msg, len(msg)) // a run tells one while another waits for it
		for _, one := range msg {
			go func() {
				var got tea.Msg
				if one != nil {
					got = one()
				}
				done <- got
			}()
		}
		for range msg {
			if got := <-done; got != nil {
				run(m, func() tea.Msg { return got })
			}
		}
	default:
		return send(m, msg)
	}
	return false
}

var named = map[string]rune{
	"enter": tea.KeyEnter, "space": tea.KeySpace, "down": tea.KeyDown, "up": tea.KeyUp, "left": tea.KeyLeft,
	"right": tea.KeyRight, "esc": tea.KeyEscape, "backspace": tea.KeyBackspace,
}

func press(m *Model, keys string) (quit bool) {
	for _, k := range strings.Fields(keys) {
		msg := tea.KeyPressMsg{Code: []rune(k)[0], Text: k}
		if code, ok := named[k]; ok {
			msg = tea.KeyPressMsg{Code: code}
		}
		quit = send(m, msg)
	}
	return quit
}

func screen(m *Model) string {
	var out strings.Builder
	for _, line := range strings.Split(m.View().Content, "\n") {
		out.WriteString(strings.TrimRight(ansi.Strip(line), " ") + "\n")
	}
	return out.String()
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	name = filepath.Join(testdata, name+".txt")
	if *update {
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
	for name, keys := range map[string]string{
		"files": "", "chosen": "down x", "look": "down enter", "job": "down enter enter", "exact": "down enter enter right",
		"typing": "down enter enter e x", "result": "down enter enter enter", "pairs": "down enter enter enter enter",
		"exactresult": "down enter enter right enter", "written": "down enter enter enter w",
	} {
		for _, size := range []struct{ width, height int }{{80, 24}, {40, 12}} {
			m := start(t, &fake{}, size.width, size.height)
			press(m, keys)
			golden(t, fmt.Sprintf("%s-%dx%d", name, size.width, size.height), screen(m))
		}
	}
}

// What is asked for is what the command on the screen says.
func TestAsked(t *testing.T) {
	for keys, want := range map[string][]string{
		"down enter":       {"look doppel fuzzy --threshold=0 --field= a.jsonl"},
		"down x x enter":   {"look doppel fuzzy --threshold=0 --field= a.jsonl b.jsonl"},
		"enter down enter": {"look doppel fuzzy --threshold=0 --field= sub/c.jsonl"},
		"down enter enter down right down left left enter w": {
			"look doppel fuzzy --threshold=0 --field= a.jsonl",
			"sample doppel fuzzy --threshold=0.8 --field=body --output=a.deduped.jsonl a.jsonl",
			"sample doppel fuzzy --threshold=0.8 --field=title --output=a.deduped.jsonl a.jsonl",
			"run doppel fuzzy --threshold=0.78 --field=title --output=a.deduped.jsonl a.jsonl",
			"write doppel fuzzy --threshold=0.78 --field=title --output=a.deduped.jsonl a.jsonl",
		},
		"down enter enter right e backspace enter enter w": {
			"look doppel fuzzy --threshold=0 --field= a.jsonl",
			"sample doppel fuzzy --threshold=0.8 --field=body --output=a.deduped.jsonl a.jsonl",
			"run doppel exact --field=body --output=a.deduped.json a.jsonl",
			"write doppel exact --field=body --output=a.deduped.json a.jsonl",
		},
	} {
		f := &fake{}
		press(start(t, f, 80, 24), keys)
		if d := cmp.Diff(want, f.asked); d != "" {
			t.Errorf("%s: %s", keys, d)
		}
	}
}

func TestFailures(t *testing.T) {
	f := &fake{fail: errors.New("a.jsonl:3: not JSON")}
	m := start(t, f, 80, 24)
	if press(m, "down enter"); m.page != filesPage || !strings.Contains(screen(m), "a.jsonl:3: not JSON") {
		t.Error(screen(m))
	}
	f.fail = nil
	press(m, "enter enter")
	f.fail = errors.New("no space left on device")
	if press(m, "enter"); m.page != jobPage || !strings.Contains(screen(m), "no space left") {
		t.Error(screen(m))
	}
	f.fail = nil
	press(m, "enter")
	f.fail = errors.New("no space left on device")
	if press(m, "w"); m.page != resultPage || !strings.Contains(screen(m), "no space left") {
		t.Error(screen(m))
	}
}

func TestQuit(t *testing.T) {
	for keys, want := range map[string]bool{
		"q": true, "down enter q": true, "down enter enter q": true, "down enter enter e q": false,
		"down enter enter enter q": true, "down enter enter enter enter q": false, "down enter enter enter w x": true,
	} {
		if got := press(start(t, &fake{}, 80, 24), keys); got != want {
			t.Errorf("%s: %v", keys, got)
		}
	}
}

// Whatever the size, no page is larger.
func TestSizes(t *testing.T) {
	for _, keys := range []string{"", "down enter", "down enter enter", "down enter enter enter", "down enter enter enter enter", "down enter enter enter w"} {
		for _, width := range []int{1, 10, 40, 200} {
			for _, height := range []int{1, 2, 3, 5, 24} {
				m := start(t, &fake{}, 80, 24)
				press(m, keys)
				send(m, tea.WindowSizeMsg{Width: width, Height: height})
				all := strings.Split(m.View().Content, "\n")
				for _, line := range all {
					if w := ansi.StringWidth(line); w > width || len(all) > height {
						t.Errorf("%q at %dx%d: %d lines, %d wide", keys, width, height, len(all), w)
					}
				}
			}
		}
	}
}

func TestSample(t *testing.T) {
	s := newSample([][]byte{[]byte(words(0)), []byte(words(0)), []byte(words(1)), []byte(words(30)), nil, nil}, 1)
	for _, c := range []struct {
		job  Job
		at   float64
		want int
	}{{Fuzzy, .5, 2}, {Fuzzy, 1, 1}, {Fuzzy, .94, 2}, {Exact, 0, 2}} {
		if got := s.Drops(c.job, c.at); got != c.want {
			t.Errorf("%v at %v: %d, want %d", c.job, c.at, got, c.want)
		}
	}
}

// What is written by the pages is what the command writes.
func TestWorker(t *testing.T) {
	docs, err := filepath.Abs("../../../testdata/docs/articles.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	w := &worker{jobs: 1}
	defer w.Close()
	records, fields, err := w.Look([]string{docs})
	if err != nil || len(records) != 20*4 || fields[0] != "text" {
		t.Fatalf("%d rows, %v, %v", len(records), fields, err)
	}
	for job, dropped := range map[Job]int{Fuzzy: 7, Exact: 2} {
		out := filepath.Join(t.TempDir(), "out.jsonl")
		s := Setup{Files: []string{docs}, Job: job, Field: "text", Threshold: .8, Output: out}
		sample, err := w.Sample(s)
		if err != nil || sample.Records != 22 || sample.Drops(job, .8) != dropped {
			t.Errorf("%v: %+v, %v", job, sample, err)
		}
		if job == Fuzzy {
			o, err := w.Run(s, func(string) {})
			if err != nil || o.Pairs.Status().Pairs != dropped {
				t.Fatalf("%v: %+v, %v", job, o, err)
			}
		}
		if _, err := w.Write(s); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(out)
		if n := strings.Count(string(text), "\n"); err != nil || n != 22-dropped {
			t.Errorf("%v: %d records are left, %v", job, n, err)
		}
	}
}
