package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"doppel/pkg/review"
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

	lines   chan string // what a run tells
	running bool
	told    string
	outcome *Outcome
	groups  []review.Group
	pairs   *view.Model

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

// Messages that tell of what was done beside.
type (
	lookedMsg struct {
		records, fields []string
		err             error
	}
	sampledMsg struct {
		number int
		sample *Sample
		err    error
	}
	toldMsg struct{ line string }
	ranMsg  struct {
		outcome *Outcome
		groups  []review.Group
		err     error
	}
	wroteMsg struct {
		text string
		err  error
	}
)

// Init does nothing.
func (m *Model) Init() tea.Cmd { return nil }

// Update takes a message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		return m, m.resize()
	case lookedMsg:
		m.looked(msg)
	case sampledMsg:
		if msg.number == m.sampled {
			m.sample = msg.sample
			m.fail(msg.err)
		}
	case toldMsg:
		m.told = msg.line
		return m, m.listen()
	case ranMsg:
		m.ran(msg)
	case wroteMsg:
		m.wrote(msg)
	case tea.KeyPressMsg:
		if m.page != pairsPage {
			return m, m.press(msg.String())
		}
	}
	if m.pairs != nil {
		return m.inPairs(msg)
	}
	return m, nil
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

func (m *Model) looked(msg lookedMsg) {
	m.fail(msg.err)
	if msg.err != nil {
		m.page = filesPage
		return
	}
	m.records, m.fields = msg.records, msg.fields
	if len(m.fields) > 0 && !slices.Contains(m.fields, m.setup.Field) {
		m.setup.Field = m.fields[0]
	}
}

func (m *Model) ran(msg ranMsg) {
	m.running = false
	if m.fail(msg.err); msg.err != nil {
		m.page = jobPage
		return
	}
	m.outcome, m.groups, m.page, m.top = msg.outcome, msg.groups, resultPage, 0
}

func (m *Model) wrote(msg wroteMsg) {
	m.running = false
	if m.fail(msg.err); msg.err == nil {
		m.page, m.written = writtenPage, msg.text
	}
}

// look has the first records read.
func (m *Model) look() tea.Cmd {
	m.page, m.records, m.top = lookPage, nil, 0
	m.setup.propose()
	work, files := m.work, m.setup.Files
	return func() tea.Msg {
		records, fields, err := work.Look(files)
		return lookedMsg{records, fields, err}
	}
}

// take has a sample taken.
func (m *Model) take() tea.Cmd {
	m.sample = nil
	m.sampled++
	work, s, number := m.work, m.setup, m.sampled
	return func() tea.Msg {
		sample, err := work.Sample(s)
		return sampledMsg{number, sample, err}
	}
}

// run has the job done.
func (m *Model) run() tea.Cmd {
	m.page, m.running, m.told = runPage, true, ""
	m.lines = make(chan string, 100)
	work, s, lines := m.work, m.setup, m.lines
	return tea.Batch(m.listen(), func() tea.Msg {
		defer close(lines)
		outcome, err := work.Run(s, func(line string) {
			select {
			case lines <- line:
			default: // nobody has read what was told before
			}
		})
		if err != nil || outcome.Pairs == nil {
			return ranMsg{outcome, nil, err}
		}
		groups, err := outcome.Pairs.Groups()
		return ranMsg{outcome, groups, err}
	})
}

// listen waits for what the run tells.
func (m *Model) listen() tea.Cmd {
	lines := m.lines
	return func() tea.Msg {
		if line, ok := <-lines; ok {
			return toldMsg{line}
		}
		return nil
	}
}

// write has the output written.
func (m *Model) write() tea.Cmd {
	m.running = true
	work, s := m.work, m.setup
	return func() tea.Msg {
		text, err := work.Write(s)
		return wroteMsg{text, err}
	}
}

// show shows the pairs, from the first of a group on.
func (m *Model) show(from int) tea.Cmd {
	s := &review.Session{List: m.outcome.Pairs, Ledger: &review.Ledger{}, At: from, Fixed: true}
	m.pairs = &view.Model{Session: s, Texts: m.outcome.Texts}
	m.page = pairsPage
	return tea.Batch(m.resize(), m.pairs.Init())
}

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
		return "$ doppel " + m.setup.Job.String()
	}
	return "$ " + strings.TrimSpace(m.setup.Command())
}
