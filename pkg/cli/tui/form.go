package tui

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"doppel/pkg/msg"
	"doppel/pkg/tool/flags"
)

// A form is the state of the screen. It is a tea.Model.
type form struct {
	by      runner
	dir     string
	entries []string // names of the directories in dir, each with a slash, and of the files; hidden ones are omitted
	run     run
	fields  []string // the choices for the field

	row      int // the selected row: jobRow and the others, then the entries
	typing   bool
	preview  string
	asked    int // number of the last question to the runner; answers to earlier ones are ignored
	ctx      context.Context
	cancel   context.CancelFunc // ends the run that answers the last question
	accepted bool               // the form is finished, and its command is to be run

	err           string
	width, height int
}

// These are the rows above the entries.
const (
	jobRow = iota
	fieldRow
	thresholdRow
	outputRow
	rows
)

// An answer is a message with what the runner found. Update calls it unless the form has asked
// something else meanwhile.
type answer struct {
	asked int
	store func() tea.Cmd
}

// newForm returns a form in which the user chooses among the entries of a directory.
func newForm(dir string, by runner) (*form, error) {
	f := &form{by: by, dir: dir, run: run{field: flags.Text, threshold: 0.8}, row: rows, cancel: func() {}}
	all, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, e := range all {
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case e.IsDir():
			f.entries = append(f.entries, e.Name()+"/")
		default:
			files = append(files, e.Name())
		}
	}
	f.entries = append(f.entries, files...)
	return f, nil
}

// Init returns nil, because no command needs to run at the start.
func (f *form) Init() tea.Cmd { return nil }

func (f *form) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		f.width, f.height = msg.Width, msg.Height
	case answer:
		if msg.asked == f.asked {
			return f, msg.store()
		}
	case tea.KeyPressMsg:
		return f, f.press(msg.String())
	}
	return f, nil
}

// ask calls a function in the background, after it has ended the one before, and then the function
// that it returns.
func (f *form) ask(find func(context.Context) (func() tea.Cmd, error)) tea.Cmd {
	f.cancel()
	f.asked++
	f.ctx, f.cancel = context.WithCancel(context.Background())
	asked, ctx := f.asked, f.ctx
	return func() tea.Msg {
		store, err := find(ctx)
		return answer{asked, func() tea.Cmd {
			if f.preview = ""; err != nil {
				f.err = err.Error()
				return nil
			}
			return store()
		}}
	}
}

// forget ends a preview, because a choice was changed.
func (f *form) forget() {
	f.cancel()
	f.asked++
	f.preview = ""
}

// press handles a key.
func (f *form) press(key string) tea.Cmd {
	if f.err = ""; key == "ctrl+c" || key == "q" && !f.typing {
		return tea.Quit
	}
	if f.typing {
		f.typeOutput(key)
		return nil
	}
	last := rows + len(f.entries) - 1
	switch key {
	case "down", "j", "tab":
		f.row = min(f.row+1, last)
	case "up", "k", "shift+tab":
		f.row = max(f.row-1, 0)
	case "pgdown":
		f.row = min(f.row+max(1, f.room()), last)
	case "pgup":
		f.row = max(f.row-max(1, f.room()), 0)
	case "e":
		f.row, f.typing = outputRow, true
	case "space", "x":
		if f.row >= rows && f.row <= last {
			return f.choose(f.entries[f.row-rows])
		}
	case "left", "-":
		f.change(-1)
	case "right", "+":
		f.change(1)
	case "p", "enter":
		return f.finish(key == "p")
	}
	return nil
}

// finish previews the run, or ends the form so that the command is run.
func (f *form) finish(preview bool) tea.Cmd {
	switch {
	case len(f.run.files) == 0:
		f.err = "no file is chosen: x chooses one"
	case preview:
		r := f.run
		cmd := f.ask(func(ctx context.Context) (func() tea.Cmd, error) {
			text, err := r.preview(ctx, f.by)
			return func() tea.Cmd { f.preview = text; return nil }, err
		})
		f.preview = "counting; a change of the form ends it"
		return cmd
	default:
		f.accepted = true
		return tea.Quit
	}
	return nil
}

// choose adds a file to the run, or removes it, and then reads the fields of the first record.
func (f *form) choose(entry string) tea.Cmd {
	r, name := &f.run, filepath.Join(f.dir, entry)
	usual := r.output == r.propose()
	if n := slices.Index(r.files, name); n >= 0 {
		r.files = slices.Delete(slices.Clone(r.files), n, n+1)
	} else {
		r.files = append(slices.Clone(r.files), name)
	}
	if usual {
		r.output = r.propose()
	}
	f.row = min(f.row+1, rows+len(f.entries)-1)
	files := r.files
	if f.forget(); len(files) == 0 {
		return nil
	}
	return f.ask(func(ctx context.Context) (func() tea.Cmd, error) {
		names, err := fields(ctx, f.by, files)
		if err != nil {
			names = nil // a job that compares whole files has no use for fields, and the others report the error
		}
		return func() tea.Cmd {
			if f.fields = names; len(names) > 0 && !slices.Contains(names, r.field) {
				r.field = names[0]
			}
			return nil
		}, nil
	})
}

// change changes the value of the selected row to the next one, or to the previous one.
func (f *form) change(by int) {
	r := &f.run
	switch f.row {
	case jobRow:
		usual := r.output == r.propose()
		r.job = (r.job + by + len(jobs)) % len(jobs)
		if usual {
			r.output = r.propose()
		}
	case thresholdRow: // in steps of 0.01
		r.threshold = float64(min(100, max(1, int(math.Round(r.threshold*100))+by))) / 100
	case fieldRow:
		if n := len(f.fields); n > 0 {
			r.field = f.fields[((slices.Index(f.fields, r.field)+by)%n+n)%n]
		}
	case outputRow:
		f.typing = true
		return
	default:
		return
	}
	f.forget()
}

// typeOutput changes the name of the output by a key.
func (f *form) typeOutput(key string) {
	switch name := []rune(f.run.output); {
	case key == "enter" || key == "esc":
		f.typing = false
	case key == "backspace" && len(name) > 0:
		f.run.output = string(name[:len(name)-1])
	case key == "space":
		f.run.output += " "
	case utf8.RuneCountInString(key) == 1:
		f.run.output += key
	}
}

const (
	reverse = "\x1b[7m"
	plain   = "\x1b[m"
)

// foot returns the lines that show the command. They fill at most a third of the screen.
func (f *form) foot() []string {
	if f.width < 1 {
		return nil
	}
	command := msg.Command("doppel", jobs[f.run.job].words...)
	if len(f.run.files) > 0 {
		command = f.run.command()
	}
	all := strings.Split(ansi.Hardwrap(msg.Graphic("$ "+command), f.width, true), "\n")
	return all[:min(len(all), max(1, f.height/3))]
}

// room returns the number of lines for entries: those without the bars, the rows, the preview and
// the command.
func (f *form) room() int { return max(0, f.height-2-rows-1-len(f.foot())) }

// View draws the screen. It has at most f.height lines, none wider than f.width.
func (f *form) View() tea.View {
	cut := func(text string) string { return ansi.Truncate(text, f.width, "…") }
	bar := func(text string) string {
		text = cut(msg.Graphic(text))
		return cut(reverse + text + strings.Repeat(" ", max(0, f.width-ansi.StringWidth(text))) + plain)
	}
	keys := "x choose  ↓ ↑ row  ← → change  e output  p preview  Enter run  q quit"
	if f.typing {
		keys = "type the name of the output, then Enter"
	}
	if f.err != "" {
		keys = f.err
	}
	body := append(f.choices(), "  "+f.preview)
	body = append(body, f.list()...)
	room := max(0, f.height-2-len(f.foot()))
	body = append(body[:min(len(body), room)], make([]string, max(0, room-len(body)))...)
	all := []string{bar("doppel tui: " + f.dir)}
	for _, text := range append(body, f.foot()...) {
		all = append(all, cut(msg.Graphic(text)))
	}
	all = append(all, bar(keys))
	v := tea.NewView(strings.Join(all[max(0, len(all)-f.height):], "\n"))
	v.AltScreen = true
	return v
}

// mark returns the first two characters of a row: "> " at the selected one, otherwise spaces.
func (f *form) mark(row int) string {
	if row == f.row {
		return "> "
	}
	return "  "
}

// choices returns the rows above the entries.
func (f *form) choices() (all []string) {
	j := &jobs[f.run.job]
	field, threshold := f.run.field, j.fixed
	if j.whole {
		field = "(whole files)"
	}
	if threshold == "" {
		threshold = fmt.Sprintf("%.2f", f.run.threshold)
	}
	for i, text := range []string{"job        " + j.name + ": " + j.what, "field      " + field, "threshold  " + threshold, "output     " + f.run.output} {
		if i == outputRow && f.typing {
			text += "_"
		}
		all = append(all, f.mark(i)+text)
	}
	return all
}

// list returns the entries around the selected one.
func (f *form) list() (all []string) {
	for i := max(0, f.row-rows-f.room()+1); i < len(f.entries) && len(all) < f.room(); i++ {
		box := "[ ] "
		if slices.Contains(f.run.files, filepath.Join(f.dir, f.entries[i])) {
			box = "[x] "
		}
		all = append(all, f.mark(rows+i)+box+f.entries[i])
	}
	return all
}
