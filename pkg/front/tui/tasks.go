package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"doppel/pkg/review"
)

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

func (m *Model) compared(msg sampledMsg) {
	if msg.number == m.sampled {
		m.sample = msg.sample
		m.fail(msg.err)
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
	m.page, m.running, m.progress = runPage, true, ""
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
