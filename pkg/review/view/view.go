// Package view is the screen on which a person decides pairs: two texts side by side,
// their differences marked, and a line of keys. It is a model of Bubble Tea, which
// draws what View returns; what keys mean is said by [review.Session].
//
// Nothing that takes long is done in Update. Texts are fetched, compared and laid out
// beside it, and of long ones a first part is shown until that is done, so a key is
// answered in about a millisecond (go test -bench Key).
package view

import (
	"context"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"doppel/pkg/review"
)

// A Model is the screen. Save is called with the effect of each key that changes the
// ledger, before the screen shows it.
type Model struct {
	Session *review.Session
	Texts   review.Texts
	Save    func(review.Effect) error
	Near    bool // the pairs nearest the cut of the session come first

	width, height int
	method        ansi.Method
	began         bool // pairs are shown
	page          page
	line          int // the first line shown of a page that is not of a pair
	top           int // the first row shown of the body
	unfolded      bool
	wanted        job     // what is to be on the screen
	shown         layout  // what is
	comparing     bool    // texts are compared beside
	next          fetched // what is compared then, if it is still wanted
	failed        error   // of Save: nothing more is decided
	stop          context.CancelFunc
}

// A page is what the screen shows.
type page byte

const (
	pairPage page = iota
	helpPage
	tablePage
)

// A job is to lay out one pair for columns of one width.
type job struct {
	number, columns int
}

// A layout is a pair laid out.
type layout struct {
	job
	sheet *review.Sheet
	part  bool // of the first part of the texts
	err   error
}

// A fetched is the texts of a pair, and what can be shown of them at once.
type fetched struct {
	layout
	a, b string
}

// A doneMsg is what is to be done with what was done beside.
type doneMsg func() tea.Cmd

// Err returns why the run ended, if it was not the user who ended it.
func (m *Model) Err() error { return m.failed }

// Init waits for the first pair.
func (m *Model) Init() tea.Cmd { return m.wait(0) }

// wait waits for more than n pairs, or for all where their order depends on it, and goes on
// waiting. With the first pairs it goes to where the last run stood.
func (m *Model) wait(n int) tea.Cmd {
	list, all := m.Session.List, m.Near
	return func() tea.Msg {
		list.Wait(n)
		for all && !list.Status().Ended {
			list.Wait(list.Status().Pairs)
		}
		return doneMsg(func() tea.Cmd {
			var next []tea.Cmd
			if status := list.Status(); !status.Ended {
				next = append(next, m.wait(2*status.Pairs))
			} else if m.Near && m.Session.Order == nil {
				m.Session.Order = list.Nearest(m.Session.Cut)
			}
			if m.began = m.began || len(m.Session.Ledger.All()) == 0; !m.began {
				frozen := *m.Session
				next = append(next, func() tea.Msg {
					at := frozen.Stood()
					return doneMsg(func() tea.Cmd {
						m.began, m.Session.At = true, at
						return nil
					})
				})
			}
			return tea.Batch(next...)
		})
	}
}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var next tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.ModeReportMsg:
		if msg.Mode == ansi.ModeUnicodeCore && (msg.Value == ansi.ModeReset || msg.Value == ansi.ModeSet || msg.Value == ansi.ModePermanentlySet) {
			m.method = ansi.GraphemeWidth // as the renderer does
		}
	case tea.KeyPressMsg:
		next = m.press(msg.String())
	case doneMsg:
		next = msg()
	}
	return m, tea.Batch(next, m.load())
}
