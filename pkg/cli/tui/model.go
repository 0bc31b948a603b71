package tui

import (
	"math"
	"slices"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"doppel/pkg/record/dataform"
	"doppel/pkg/review"
	"doppel/pkg/review/judgement"
	"doppel/pkg/review/view"
	"doppel/pkg/tool/flags"
)

// A Model is the state of the screen. It is a tea.Model.
type Model struct {
	work   Worker
	setup  Setup
	page   page
	picker *picker

	records []string // first records of the files, one field per row
	fields  []string
	top     int
	row     int // selected row of the job page
	typing  bool
	sample  *Sample
	sampled int // number of the last requested sample

	running  bool
	progress string
	outcome  *Outcome
	groups   []review.Group
	pairs    *view.Model

	err           string
	written       string
	width, height int
}

// A page is what the screen shows: the list of files, the first records, and so on.
type page byte

const (
	filesPage page = iota
	lookPage
	jobPage
	runPage
	resultPage
	pairsPage
	writtenPage
)

// These are the rows of the job page.
const (
	jobRow = iota
	fieldRow
	thresholdRow
	outputRow
	rows
)

// A doneMsg is a message sent when background work is finished. Update calls the doneMsg, which
// stores the result in the Model and returns the next command, or nil.
type doneMsg func() tea.Cmd

// New returns a Model whose first page shows the files of a directory. The user chooses among them.
func New(dir string, work Worker) (*Model, error) {
	m := &Model{work: work, picker: &picker{}, setup: Setup{Field: flags.Text, Threshold: 0.8}}
	return m, m.picker.open(dir)
}

// Init returns nil, because no command needs to run at the start.
func (m *Model) Init() tea.Cmd { return nil }

// Update handles a message. While the screen of pairs is shown, it passes all keys to that screen,
// except q, which returns to the results. It also passes to that screen all messages that it does
// not handle itself.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		return m, m.resize()
	case doneMsg:
		return m, msg()
	case tea.KeyPressMsg:
		switch {
		case m.page != pairsPage:
			return m, m.press(msg.String())
		case msg.String() == "q" && m.pairs.Session.Asking == 0:
			m.page = resultPage
			return m, nil
		}
	}
	if m.pairs == nil {
		return m, nil
	}
	_, cmd := m.pairs.Update(msg)
	return m, cmd
}

// resize tells the screen of pairs its new size: that of the terminal, minus the lines that show
// the command.
func (m *Model) resize() tea.Cmd {
	if m.pairs == nil {
		return nil
	}
	_, cmd := m.pairs.Update(tea.WindowSizeMsg{Width: m.width, Height: max(1, m.height-len(m.foot()))})
	return cmd
}

// ok reports whether err is nil. If not, it stores the message of err for display.
func (m *Model) ok(err error) bool {
	if err != nil {
		m.err = err.Error()
	}
	return err == nil
}

func (m *Model) press(key string) tea.Cmd {
	if key == "ctrl+c" || key == "q" && !m.typing || m.page == writtenPage && !m.running {
		return tea.Quit
	}
	if m.err = ""; m.running {
		return nil // during a run, ignore all keys except those that quit
	}
	by := map[string]int{"down": 1, "j": 1, "up": -1, "k": -1, "pgdown": m.body(), "space": m.body(), "pgup": -m.body()}[key]
	enter := key == "enter" || key == "right"
	back := key == "esc" || key == "left"
	switch m.page {
	case filesPage:
		return m.pick(key, by)
	case lookPage:
		switch {
		case by != 0:
			m.top = max(0, min(m.top+by, len(m.records)-m.body()))
		case back:
			m.page = filesPage
		case enter && m.records != nil:
			m.page, m.row = jobPage, 0
			return m.compare()
		}
	case jobPage:
		return m.choose(key)
	case resultPage:
		switch {
		case by != 0:
			m.top = max(0, min(m.top+by, max(len(m.groups), len(m.outcome.Rows))-1))
		case back:
			m.page = jobPage
		case key == "w" && m.setup.Output == "":
			m.err = "the output has no name: Esc goes back to set one"
		case key == "w":
			m.running = true
			work, s := m.work, m.setup
			return func() tea.Msg {
				text, err := work.Write(s)
				return doneMsg(func() tea.Cmd {
					if m.running = false; m.ok(err) {
						m.page, m.written = writtenPage, text
					}
					return nil
				})
			}
		case (enter || key == "p") && len(m.groups) > 0:
			s := &review.Session{List: m.outcome.Pairs, Ledger: &judgement.Ledger{}, At: m.groups[m.top].First, Fixed: true}
			m.pairs, m.page = &view.Model{Session: s, Texts: m.outcome.Texts}, pairsPage
			return tea.Batch(m.resize(), m.pairs.Init())
		}
	}
	return nil
}

// pick handles a key on the page of files: it chooses a file, opens a directory, or continues with
// the chosen files. If a directory is chosen, the next page is that of the job, because there are
// no records to show.
func (m *Model) pick(key string, by int) tea.Cmd {
	p := m.picker
	chosen := slices.Clone(p.chosen)
	switch key {
	case "space", "x":
		if n := slices.Index(p.chosen, p.name()); p.at > 0 && n >= 0 {
			p.chosen = slices.Delete(p.chosen, n, n+1)
		} else if p.at > 0 {
			p.chosen = append(p.chosen, p.name())
		}
		p.move(1)
		return nil
	case "enter", "right":
		name := p.name()
		if isDir(name) {
			m.ok(p.open(name))
			return nil
		}
		// The key x may have moved the cursor to a file that is not a dataset.
		known := len(chosen) == 0 || dataform.KindOf(name) != ""
		if known && !slices.Contains(chosen, name) {
			chosen = append(chosen, name)
		}
	case "g", "tab":
	default:
		p.move(by)
		return nil
	}
	if len(chosen) == 0 {
		m.err = "no file is chosen: x chooses one"
		return nil
	}
	m.setup.Files, m.setup.Dirs = chosen, slices.ContainsFunc(chosen, isDir)
	if m.setup.Dirs {
		m.setup.Job = Equal
	}
	m.setup.Output = m.setup.propose()
	if m.setup.Dirs {
		m.page, m.row = jobPage, 0
		return nil
	}
	m.page, m.records, m.top = lookPage, nil, 0
	work := m.work
	return func() tea.Msg {
		records, fields, err := work.Look(chosen)
		return doneMsg(func() tea.Cmd {
			if !m.ok(err) {
				m.page = filesPage
				return nil
			}
			m.records, m.fields = records, fields
			if len(fields) > 0 && !slices.Contains(fields, m.setup.Field) {
				m.setup.Field = fields[0]
			}
			return nil
		})
	}
}

// choose handles a key on the page of the job: it changes the setup, or runs the job.
func (m *Model) choose(key string) tea.Cmd {
	if m.typing {
		switch name := []rune(m.setup.Output); {
		case key == "enter" || key == "esc":
			m.typing = false
		case key == "backspace" && len(name) > 0:
			m.setup.Output = string(name[:len(name)-1])
		case key == "space":
			m.setup.Output += " "
		case utf8.RuneCountInString(key) == 1:
			m.setup.Output += key
		}
		return nil
	}
	by := 1
	switch key {
	case "down", "j", "tab":
		m.row = (m.row + 1) % rows
	case "up", "k", "shift+tab":
		m.row = (m.row + rows - 1) % rows
	case "e":
		m.row, m.typing = outputRow, true
	case "esc":
		if m.page, m.top = lookPage, 0; m.setup.Dirs {
			m.page = filesPage
		}
	case "enter":
		return m.run()
	case "left", "-":
		by = -1
		fallthrough
	case "right", "+":
		switch m.row {
		case jobRow:
			s := &m.setup
			usual := s.Output == s.propose()
			if s.Job = (s.Job + Job(by) + jobs) % jobs; s.Dirs {
				s.Job = Equal
			}
			if usual {
				s.Output = s.propose()
			}
		case thresholdRow: // change the threshold in steps of 0.01
			n := int(math.Round(m.setup.Threshold*100)) + by
			m.setup.Threshold = float64(min(100, max(1, n))) / 100
		case outputRow:
			m.typing = true
		case fieldRow:
			before, n := m.setup.Field, len(m.fields)
			if n > 0 {
				m.setup.Field = m.fields[((slices.Index(m.fields, before)+by)%n+n)%n]
			}
			if m.setup.Field != before {
				return m.compare()
			}
		}
	}
	return nil
}

// compare makes the worker draw a sample and compare its records in the background.
func (m *Model) compare() tea.Cmd {
	m.sample = nil
	m.sampled++
	work, s, number := m.work, m.setup, m.sampled
	return func() tea.Msg {
		sample, err := work.Sample(s)
		return doneMsg(func() tea.Cmd {
			if number == m.sampled {
				m.sample = sample
				m.ok(err)
			}
			return nil
		})
	}
}

// run starts the job in the background, and shows the messages of the job.
func (m *Model) run() tea.Cmd {
	m.page, m.running, m.progress = runPage, true, ""
	work, s, lines := m.work, m.setup, make(chan string, 100)
	var listen tea.Cmd
	listen = func() tea.Msg {
		line, more := <-lines
		if !more {
			return nil
		}
		return doneMsg(func() tea.Cmd {
			m.progress = line
			return listen
		})
	}
	return tea.Batch(listen, func() tea.Msg {
		defer close(lines)
		var groups []review.Group
		outcome, err := work.Run(s, func(line string) {
			select {
			case lines <- line:
			default: // skip the message if earlier ones have not been shown
			}
		})
		if err == nil && outcome.Pairs != nil {
			groups, err = outcome.Pairs.Groups()
		}
		return doneMsg(func() tea.Cmd {
			if m.running = false; !m.ok(err) {
				m.page = jobPage
				return nil
			}
			m.outcome, m.groups, m.page, m.top = outcome, groups, resultPage, 0
			return nil
		})
	})
}
