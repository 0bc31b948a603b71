package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"doppel/pkg/review"
	"doppel/pkg/review/judgement"
	"doppel/pkg/review/view"
)

// A Model is the screen.
type Model struct {
	work   Worker
	setup  Setup
	page   page
	picker *picker

	records []string // of the files, a row each
	fields  []string
	top     int
	row     int // of the job page
	typing  bool
	sample  *Sample
	sampled int // the number of the last sample that was asked for

	lines    chan string // what a run tells
	running  bool
	progress string
	outcome  *Outcome
	groups   []review.Group
	pairs    *view.Model

	err           string
	written       string
	width, height int
}

// A page is what the screen shows.
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

// New returns the screen for a directory.
func New(dir string, work Worker) (*Model, error) {
	p, err := newPicker(dir)
	m := &Model{work: work, picker: p}
	m.setup.propose()
	return m, err
}

// Init does nothing.
func (m *Model) Init() tea.Cmd { return nil }

// Update takes a message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if key, ok := msg.(tea.KeyPressMsg); ok && m.page != pairsPage {
		return m, m.press(key.String())
	}
	if cmd, ok := m.told(msg); ok {
		return m, cmd
	}
	if m.pairs != nil {
		return m.inPairs(msg)
	}
	return m, nil
}

// told takes a message of the terminal's size, or of what was done beside; ok is false
// for others, and for what another screen is to have, too.
func (m *Model) told(msg tea.Msg) (cmd tea.Cmd, ok bool) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		return m.resize(), true
	case lookedMsg:
		m.looked(msg)
	case sampledMsg:
		m.compared(msg)
	case toldMsg:
		m.progress = msg.line
		return m.listen(), true
	case ranMsg:
		m.ran(msg)
	case wroteMsg:
		m.wrote(msg)
	}
	return nil, false
}

// resize hands the size to the screen of pairs, but for the line of the command.
func (m *Model) resize() tea.Cmd {
	if m.pairs == nil {
		return nil
	}
	_, cmd := m.pairs.Update(tea.WindowSizeMsg{Width: m.width, Height: max(1, m.height-len(m.foot()))})
	return cmd
}

// inPairs hands a message to the screen of pairs, whose end is no end here.
func (m *Model) inPairs(msg tea.Msg) (tea.Model, tea.Cmd) {
	if key, ok := msg.(tea.KeyPressMsg); ok && key.String() == "q" && m.pairs.Session.Asking == 0 {
		m.page = resultPage
		return m, nil
	}
	_, cmd := m.pairs.Update(msg)
	return m, cmd
}

// fail notes what went wrong, if anything did.
func (m *Model) fail(err error) {
	if err != nil {
		m.err = err.Error()
	}
}

// show shows the pairs, from the first of a group on.
func (m *Model) show(from int) tea.Cmd {
	s := &review.Session{List: m.outcome.Pairs, Ledger: &judgement.Ledger{}, At: from, Fixed: true}
	m.pairs = &view.Model{Session: s, Texts: m.outcome.Texts}
	m.page = pairsPage
	return tea.Batch(m.resize(), m.pairs.Init())
}

// results returns how many rows can be gone through: groups, or what else is told.
func (m *Model) results() int { return max(len(m.groups), len(m.outcome.Rows)) }

// next returns what stands behind a word in a list of them, and at the end the first.
func next(all []string, word string, by int) string {
	if len(all) == 0 {
		return word
	}
	n := slices.Index(all, word)
	return all[((n+by)%len(all)+len(all))%len(all)]
}

// command is the line that every page shows.
func (m *Model) command() string {
	if len(m.setup.Files) == 0 {
		return "$ doppel " + strings.Join(m.setup.Job.words(), " ")
	}
	return "$ " + strings.TrimSpace(m.setup.Command())
}
