package tui

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
)

// testdata is the directory of the expected screens. The path is absolute, because tests change the
// working directory.
var testdata, _ = filepath.Abs("testdata")

// update makes the tests rewrite the screens in testdata, instead of comparing them.
var update = os.Getenv("UPDATE") != ""

// A fake is a Worker that returns all results without delay.
type fake struct {
	asked []string
	many  bool // the sample was drawn from a larger dataset
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
	sample := newSample([][]byte{[]byte(words(0)), []byte(words(0)), []byte(words(1)), []byte(words(9))}, 1)
	sample.judged = drops{3, map[string]int{"length<50": 1, "stop_words<2": 2}}
	if f.many {
		sample.Total = 1234
	}
	return sample, f.note("sample", s)
}

// words returns a text of forty words. The given number of words at its beginning differ from those
// of words(0).
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
	switch s.Job {
	case Exact:
		return &Outcome{Told: "7 records, 2 duplicates, 5 kept"}, f.note("run", s)
	case Filter:
		return &Outcome{Told: "3 records would be dropped", Rows: []string{"     2  stop_words<2", "     1  length<50"}}, f.note("run", s)
	case Equal:
		return &Outcome{Told: "1 group of equal files", Rows: []string{"1: files of 8 bytes", "  stays  a", "  copy   \x1b[31m\u202egnp.漢🙂"}}, f.note("run", s)
	}
	return &Outcome{Pairs: list, Texts: f, Told: "3 records would be dropped"}, f.note("run", s)
}

func (f *fake) Write(s Setup) (string, error) { return "wrote " + s.Output, f.note("write", s) }
func (f *fake) Close()                        {}

// start returns a Model that shows a directory with two files, a hidden file and a subdirectory.
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

// send sends a message to m and runs the commands that m returns in response. It reports whether
// one of the commands quits the program.
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
		// Run the commands concurrently, because one of them waits for messages from another.
		done := make(chan tea.Msg, len(msg))
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
	for name, keys := range map[string]string{
		"files": "", "chosen": "down x", "look": "down enter", "job": "down enter enter", "exact": "down enter enter right",
		"typing": "down enter enter e x", "result": "down enter enter enter", "pairs": "down enter enter enter enter",
		"exactresult": "down enter enter right enter", "written": "down enter enter enter w",
		"filter": "down enter enter right right", "filterresult": "down enter enter right right enter",
		"equal": "x g", "equalresult": "x g enter", "equalwritten": "x g enter w", "nothing": "g",
	} {
		for _, size := range []struct{ width, height int }{{80, 24}, {40, 12}} {
			m := start(t, &fake{}, size.width, size.height)
			press(m, keys)
			golden(t, fmt.Sprintf("%s-%dx%d", name, size.width, size.height), screen(m))
		}
	}
}

// TestAsked checks that the worker gets the setup that the command on the screen describes.
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
		"down enter enter left enter w": {
			"look doppel fuzzy --threshold=0 --field= a.jsonl",
			"sample doppel fuzzy --threshold=0.8 --field=body --output=a.deduped.jsonl a.jsonl",
			"run doppel files --output=a.equal.tsv a.jsonl",
			"write doppel files --output=a.equal.tsv a.jsonl",
		},
		"down enter enter right right enter": {
			"look doppel fuzzy --threshold=0 --field= a.jsonl",
			"sample doppel fuzzy --threshold=0.8 --field=body --output=a.deduped.jsonl a.jsonl",
			"run doppel recfilter --apply --field=body --output=a.filtered.jsonl a.jsonl",
		},
		"x x g right enter w": { // choose a directory and a file
			"run doppel files --output=sub.equal.tsv sub a.jsonl",
			"write doppel files --output=sub.equal.tsv sub a.jsonl",
		},
	} {
		f := &fake{}
		press(start(t, f, 80, 24), keys)
		if d := cmp.Diff(want, f.asked); d != "" {
			t.Errorf("%s: %s", keys, d)
		}
	}
}

// TestEnterAddsDatasets checks that Enter adds the file at the cursor to the chosen files. If other
// files are already chosen, Enter adds the file only if it is a dataset.
func TestEnterAddsDatasets(t *testing.T) {
	for keys, want := range map[string]string{
		"down down x enter":    "look doppel fuzzy --threshold=0 --field= b.jsonl",           // the cursor is at notes.txt, where x moved it
		"down x enter":         "look doppel fuzzy --threshold=0 --field= a.jsonl b.jsonl",   // the cursor is at b.jsonl
		"down down down enter": "look doppel fuzzy --threshold=0 --field= notes.txt",         // a single file is always opened
		"down x down x enter":  "look doppel fuzzy --threshold=0 --field= a.jsonl notes.txt", // chosen explicitly
	} {
		f := &fake{}
		m := start(t, f, 80, 24)
		if err := os.WriteFile("notes.txt", nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := m.picker.open("."); err != nil {
			t.Fatal(err)
		}
		press(m, keys)
		if d := cmp.Diff([]string{want}, f.asked); d != "" {
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

// TestSizes checks that no page is larger than the screen, for screens of many sizes.
func TestSizes(t *testing.T) {
	for _, keys := range []string{"", "x g", "x g enter", "down enter enter right right", "down enter", "down enter enter", "down enter enter enter", "down enter enter enter enter", "down enter enter enter w"} {
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

// TestDrawn checks that runs are drawn from the whole dataset if it is larger than the
// sample, that the records of a run are consecutive, and that no run is too large.
func TestDrawn(t *testing.T) {
	name := filepath.Join(t.TempDir(), "r.jsonl")
	var text strings.Builder
	for i := range 7050 {
		fmt.Fprintf(&text, "{\"text\":\"%d\"}\n", i)
	}
	if err := os.WriteFile(name, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	opt := (&Setup{Field: "text"}).records()
	all, total, err := drawn([]string{name}, opt)
	if err != nil || total != 7050 || len(all) < (runs-1)*runOf || len(all) > runs*runOf {
		t.Fatalf("%d of %d, %v", len(all), total, err)
	}
	last, thirds := -1, [3]int{}
	for i, one := range all {
		var n int
		fmt.Sscan(string(one), &n)
		if n <= last || i > 0 && n%runOf != 0 && n != last+1 {
			t.Fatalf("%d behind %d", n, last)
		}
		last = n
		thirds[n/2351]++
	}
	if min(thirds[0], thirds[1], thirds[2]) < runOf {
		t.Errorf("by thirds of the dataset: %v", thirds)
	}
	few, total, err := drawn([]string{name, name}, opt)
	if err != nil || total != 14100 || len(few) != runs*runOf {
		t.Errorf("%d of %d, %v", len(few), total, err)
	}
}

// TestDrawnLarge checks that a sample of large records is limited in size.
func TestDrawnLarge(t *testing.T) {
	name := filepath.Join(t.TempDir(), "r.jsonl")
	one := "{\"text\":\"" + strings.Repeat("x", runSize/4) + "\"}\n"
	if err := os.WriteFile(name, []byte(strings.Repeat(one, 30)), 0o600); err != nil {
		t.Fatal(err)
	}
	all, total, err := drawn([]string{name}, (&Setup{Field: "text"}).records())
	if err != nil || total != 30 || len(all) != 4 {
		t.Errorf("%d of %d, %v", len(all), total, err)
	}
}

// TestWorker checks that the real worker writes the same output as the command shown on the screen.
func TestWorker(t *testing.T) {
	docs, err := filepath.Abs("../../../testdata/docs/articles.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	w := newWorker(1)
	defer w.Close()
	records, fields, err := w.Look([]string{docs})
	if err != nil || len(records) != 20*4 || fields[0] != "text" {
		t.Fatalf("%d rows, %v, %v", len(records), fields, err)
	}
	for job, dropped := range map[Job]int{Fuzzy: 7, Exact: 2, Filter: 7} {
		out := filepath.Join(t.TempDir(), "out.jsonl")
		s := Setup{Files: []string{docs}, Job: job, Field: "text", Threshold: .8, Output: out}
		sample, err := w.Sample(s)
		if err != nil || sample.Records != 22 || sample.Drops(job, .8) != dropped {
			t.Errorf("%v: %+v, %v", job, sample, err)
		}
		o, err := w.Run(s, func(string) {})
		if err != nil || o.Pairs != nil && o.Pairs.Status().Pairs != dropped {
			t.Fatalf("%v: %+v, %v", job, o, err)
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

// TestEqual checks the job that compares files of any kind, including files in subdirectories.
// Escape sequences in a file name must not reach the terminal.
func TestEqual(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"a", "sub/b", "sub/odd\x1b[2J"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("the same"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w := newWorker(1)
	s := Setup{Files: []string{"a", "sub"}, Dirs: true, Job: Equal}
	s.Output = s.propose()
	o, err := w.Run(s, func(string) {})
	want := &Outcome{Told: "1 group of equal files, 2 copies: 16 bytes could be saved", Rows: []string{"1: files of 8 bytes", "  stays  a", "  copy   sub/b", "  copy   sub/odd\x1b[2J"}}
	if d := cmp.Diff(want, o); err != nil || d != "" {
		t.Error(err, d)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 2 {
		t.Errorf("a run left %v, %v", left, err)
	}
	if told, err := w.Write(s); err != nil || told != "wrote a.equal.tsv" {
		t.Error(told, err)
	}
	text, err := os.ReadFile("a.equal.tsv")
	if n := strings.Count(string(text), "\n"); err != nil || n != 3 {
		t.Errorf("%d lines, %v", n, err)
	}
	s.Files = []string{"none", "sub"}
	if o, err := w.Run(s, func(string) {}); err != nil || !strings.HasPrefix(o.Told, "doppel files: none: no such file or directory; 1 group") {
		t.Error(o, err)
	}
	s.Files = []string{"none"}
	if _, err := w.Run(s, func(string) {}); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Error(err)
	}
}

// TestCloseEndsRun checks that quitting ends a running command.
func TestCloseEndsRun(t *testing.T) {
	endless, end, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer end.Close()
	w, done := newWorker(1), make(chan error)
	go func() {
		_, _, err := w.doppel(endless, nil, "reccat", "--count", "-")
		done <- err
	}()
	w.Close()
	if err := <-done; err == nil {
		t.Error("it ended well")
	}
}
