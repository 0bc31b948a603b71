package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
)

// testdata is the directory of the expected screens. The path is absolute, because tests change the
// working directory.
var testdata, _ = filepath.Abs("testdata")

// update makes the tests rewrite the screens in testdata, instead of comparing them.
var update = os.Getenv("UPDATE") != ""

// A fake is a runner that returns all results without delay.
type fake struct {
	asked []string
	fail  error
}

func (f *fake) doppel(_ context.Context, args ...string) (out []byte, last string, err error) {
	f.asked = append(f.asked, strings.Join(args, " "))
	switch {
	case f.fail != nil:
		return nil, "", f.fail
	case args[0] == "reccat":
		return []byte(`{"title":"a","n":3,"body":"a longer \u001b[31mtext","a.b":"a text of no proposed field"}` + "\n"), "", nil
	case args[0] == "recfilter":
		return []byte("drop\t0\t-\t1.0000\tlength<50\nkeep\t1\t-\t-\t-\ndrop\t2\t-\t1.0000\tlength<50\n"), "", nil
	}
	return nil, "doppel: 7 records, 2 duplicates, 5 kept \x1b[31m\u202egnp.漢🙂", nil
}

// start returns a form that shows a directory with two files, a hidden file and a subdirectory.
func start(t *testing.T, by runner, width, height int) *form {
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
	f, err := newForm(".", by)
	if err != nil {
		t.Fatal(err)
	}
	send(f, tea.WindowSizeMsg{Width: width, Height: height})
	return f
}

// send sends a message to f and runs the commands that f returns in response. It reports whether one
// of the commands quits the program.
func send(f *form, msg tea.Msg) (quit bool) {
	_, cmd := f.Update(msg)
	if cmd == nil {
		return false
	}
	switch msg := cmd().(type) {
	case nil:
		return false
	case tea.QuitMsg:
		return true
	default:
		return send(f, msg)
	}
}

var named = map[string]rune{
	"enter": tea.KeyEnter, "space": tea.KeySpace, "down": tea.KeyDown, "up": tea.KeyUp, "left": tea.KeyLeft,
	"right": tea.KeyRight, "esc": tea.KeyEscape, "backspace": tea.KeyBackspace,
}

func press(f *form, keys string) (quit bool) {
	for _, k := range strings.Fields(keys) {
		msg := tea.KeyPressMsg{Code: []rune(k)[0], Text: k}
		if code, ok := named[k]; ok {
			msg = tea.KeyPressMsg{Code: code}
		}
		quit = send(f, msg)
	}
	return quit
}

func screen(f *form) string {
	var out strings.Builder
	for _, line := range strings.Split(f.View().Content, "\n") {
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
		"form": "", "chosen": "down x", "preview": "down x p", "typing": "down x e x", "filter": "down x up up up up up up right right p", "equal": "x up up up up up left p", "nothing": "enter",
	} {
		for _, size := range []struct{ width, height int }{{80, 24}, {40, 12}} {
			f := start(t, &fake{}, size.width, size.height)
			press(f, keys)
			golden(t, fmt.Sprintf("%s-%dx%d", name, size.width, size.height), screen(f))
		}
	}
}

// TestCommand checks the command of the form, and what the runner is asked.
func TestCommand(t *testing.T) {
	const fields = "reccat --head=1 --to=jsonl -- a.jsonl"
	for keys, want := range map[string][]string{
		"down x enter":                                  {fields, "= fuzzy --threshold=0.8 --field=body --output=a.deduped.jsonl a.jsonl"},
		"down x x enter":                                {fields, fields + " b.jsonl", "= fuzzy --threshold=0.8 --field=body --output=a.deduped.jsonl a.jsonl b.jsonl"},
		"down x down x p":                               {fields, fields + " b.jsonl", "fuzzy --dry-run --no-progress --threshold=0.8 --field=body a.jsonl b.jsonl"},
		"down x up x":                                   {fields, "= "},
		"x up up up up up left":                         {"reccat --head=1 --to=jsonl -- sub", "= files --output=sub.equal.tsv sub"},
		"down x up up up up left up right enter":        {fields, "= fuzzy --threshold=0.79 --field=title --output=a.deduped.jsonl a.jsonl"},
		"down x e backspace x enter enter":              {fields, "= fuzzy --threshold=0.8 --field=body --output=a.deduped.jsonx a.jsonl"},
		"down x up up up up up up right right p":        {fields, "recfilter --apply --apply=false --no-progress --field=body a.jsonl"},
		"down x e backspace enter up up up right enter": {fields, "= exact --field=body --output=a.deduped.json a.jsonl"},
	} {
		by := &fake{}
		f := start(t, by, 80, 24)
		quit := press(f, keys)
		got := by.asked
		if !strings.HasSuffix(keys, "p") {
			command := ""
			if len(f.run.files) > 0 {
				command = strings.Join(f.run.args(), " ")
			}
			got = append(got, "= "+command)
		}
		if d := cmp.Diff(want, got); d != "" || quit != strings.HasSuffix(keys, "enter") || quit != f.accepted {
			t.Errorf("%s: %s, quit %v", keys, d, quit)
		}
	}
}

// TestStale checks that an answer about a form that has been changed meanwhile is ignored.
func TestStale(t *testing.T) {
	f := start(t, &fake{}, 80, 24)
	press(f, "down x")
	_, cmd := f.Update(tea.KeyPressMsg{Code: 'p', Text: "p"})
	if press(f, "up up up up right"); f.ctx.Err() == nil || f.preview != "" {
		t.Errorf("the preview goes on: %q", f.preview)
	}
	if send(f, cmd()); f.preview != "" {
		t.Errorf("a preview of another run is shown: %q", f.preview)
	}
}

func TestFailures(t *testing.T) {
	by := &fake{fail: errors.New("a.jsonl:3: not JSON")}
	f := start(t, by, 80, 24)
	press(f, "down x")
	if press(f, "p"); f.preview != "" || !strings.Contains(screen(f), "a.jsonl:3: not JSON") {
		t.Error(screen(f))
	}
	if press(f, "down"); strings.Contains(screen(f), "not JSON") {
		t.Error(screen(f))
	}
}

func TestQuit(t *testing.T) {
	for keys, want := range map[string]bool{"q": true, "down x q": true, "down x e q": false, "down x p q": true, "enter": false} {
		f := start(t, &fake{}, 80, 24)
		if got := press(f, keys); got != want || f.accepted {
			t.Errorf("%s: %v", keys, got)
		}
	}
}

// TestSizes checks that the form is not larger than the screen, for screens of many sizes.
func TestSizes(t *testing.T) {
	for _, keys := range []string{"", "x", "down x p", "down x e", "down down", "enter"} {
		for _, width := range []int{1, 10, 40, 200} {
			for _, height := range []int{1, 2, 3, 5, 9, 24} {
				f := start(t, &fake{}, 80, 24)
				press(f, keys)
				send(f, tea.WindowSizeMsg{Width: width, Height: height})
				all := strings.Split(f.View().Content, "\n")
				for _, line := range all {
					if w := ansi.StringWidth(line); w > width || len(all) > height {
						t.Errorf("%q at %dx%d: %d lines, %d wide", keys, width, height, len(all), w)
					}
				}
			}
		}
	}
}
