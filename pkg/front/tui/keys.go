package tui

import (
	"slices"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// press does what a key means on the page that is shown.
func (m *Model) press(key string) tea.Cmd {
	if key == "ctrl+c" || key == "q" && !m.typing {
		return tea.Quit
	}
	if m.err = ""; m.running {
		return nil // a run is ended by leaving
	}
	switch m.page {
	case filesPage:
		return m.pick(key)
	case lookPage:
		return m.leaf(key)
	case jobPage:
		return m.choose(key)
	case resultPage:
		return m.judge(key)
	case writtenPage:
		return tea.Quit
	}
	return nil
}

// moves are the keys that move a cursor or a page.
func (m *Model) move(key string) (by int, ok bool) {
	switch key {
	case "down", "j":
		return 1, true
	case "up", "k":
		return -1, true
	case "pgdown", "space":
		return m.body(), true
	case "pgup":
		return -m.body(), true
	}
	return 0, false
}

// pick is for the page of files.
func (m *Model) pick(key string) tea.Cmd {
	if key == "space" || key == "x" {
		m.picker.toggle()
		m.picker.move(1)
		return nil
	}
	if by, ok := m.move(key); ok {
		m.picker.move(by)
		return nil
	}
	switch key {
	case "enter", "right":
		return m.enter()
	case "g", "tab":
		return m.goOn(m.picker.chosen)
	}
	return nil
}

// enter opens a directory, or goes on with a file and what else is chosen.
func (m *Model) enter() tea.Cmd {
	name, err := m.picker.enter()
	m.fail(err)
	if name == "" || err != nil {
		return nil
	}
	files := slices.Clone(m.picker.chosen)
	if !slices.Contains(files, name) {
		files = append(files, name)
	}
	return m.goOn(files)
}

// goOn goes on with what is chosen. Directories have no records to look at.
func (m *Model) goOn(files []string) tea.Cmd {
	if len(files) == 0 {
		m.err = "nothing is chosen: x chooses"
		return nil
	}
	m.setup.Files, m.setup.Dirs = slices.Clone(files), slices.ContainsFunc(files, isDir)
	if !m.setup.Dirs {
		return m.look()
	}
	m.setup.Job = Equal
	m.setup.propose()
	m.page, m.row = jobPage, 0
	return nil
}

// leaf is for the page of records.
func (m *Model) leaf(key string) tea.Cmd {
	by, moves := m.move(key)
	switch {
	case moves:
		m.top = max(0, min(m.top+by, len(m.records)-m.body()))
	case key == "esc" || key == "left":
		m.page = filesPage
	case (key == "enter" || key == "right") && m.records != nil:
		m.page, m.row = jobPage, 0
		return m.take()
	}
	return nil
}

// The rows of the job page.
const (
	jobRow = iota
	fieldRow
	thresholdRow
	outputRow
	rows
)

// choose is for the page of the job.
func (m *Model) choose(key string) tea.Cmd {
	if m.typing {
		m.typeOutput(key)
		return nil
	}
	switch key {
	case "down", "j", "tab":
		m.row = (m.row + 1) % rows
	case "up", "k", "shift+tab":
		m.row = (m.row + rows - 1) % rows
	case "left", "-":
		return m.change(-1)
	case "right", "+":
		return m.change(1)
	case "e":
		m.row, m.typing = outputRow, true
	case "esc":
		m.page, m.top = m.before(), 0
	case "enter":
		return m.run()
	}
	return nil
}

// before is the page in front of that of the job.
func (m *Model) before() page {
	if m.setup.Dirs {
		return filesPage
	}
	return lookPage
}

// change changes what the row says.
func (m *Model) change(by int) tea.Cmd {
	switch m.row {
	case jobRow:
		m.setup.turn(by)
	case fieldRow:
		return m.nextField(by)
	case thresholdRow:
		m.setup.step(by)
	case outputRow:
		m.typing = true
	}
	return nil
}

// nextField takes another field, and looks again at what that would drop.
func (m *Model) nextField(by int) tea.Cmd {
	before := m.setup.Field
	if m.setup.Field = next(m.fields, before, by); m.setup.Field == before {
		return nil
	}
	return m.take()
}

// typeOutput changes the name of the output.
func (m *Model) typeOutput(key string) {
	name := []rune(m.setup.Output)
	switch {
	case key == "enter" || key == "esc":
		m.typing = false
	case key == "backspace" && len(name) > 0:
		m.setup.Output = string(name[:len(name)-1])
	case key == "space":
		m.setup.Output += " "
	case utf8.RuneCountInString(key) == 1:
		m.setup.Output += key
	}
}

// judge is for the page of what a run has decided.
func (m *Model) judge(key string) tea.Cmd {
	by, moves := m.move(key)
	switch {
	case moves:
		m.top = max(0, min(m.top+by, m.results()-1))
	case key == "esc" || key == "left":
		m.page = jobPage
	case key == "w" && m.setup.Output == "":
		m.err = "the output has no name: Esc goes back to give it one"
	case key == "w":
		return m.write()
	case (key == "enter" || key == "right" || key == "p") && len(m.groups) > 0:
		return m.show(m.groups[m.top].First)
	}
	return nil
}
