// Package view implements the screen on which a person judges pairs: two texts side by side with
// their differences marked, and a line of keys. It is a Bubble Tea model: Bubble Tea draws the
// result of View, and [review.Session] defines the meaning of keys.
//
// Texts are fetched, compared and laid out in the background, and the first part of long texts is
// shown until that is done. So Update handles a key in about a millisecond (go test -bench Key).
package view

import (
	"context"
	"sync"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"doppel/pkg/review"
)

// A Model is the state of the screen. Save is called with the effect of each key that changes the
// ledger, before the screen shows the change.
type Model struct {
	Session *review.Session
	Texts   review.Texts
	Save    func(review.Effect) error
	Near    bool // whether to show the pairs nearest to the session's Cut first

	width, height int
	method        ansi.Method
	began         bool // whether the position of the first pair to show is known
	page          page
	line          int // first visible line of the help or the table
	top           int // first visible row of the body
	unfolded      bool
	wanted        job          // the layout that should be shown
	shown         layout       // the layout shown now
	serial        atomic.Int64 // number of layouts that have been wanted so far
	comparing     sync.Mutex   // held while whole long texts are compared
	failed        error        // error from Save; no more decisions are possible
	stop          context.CancelFunc
}

// A page says what the screen shows: a pair, the help, or the precision of thresholds.
type page byte

const (
	pairPage page = iota
	helpPage
	tablePage
)

// A job identifies a layout: a pair and the width of the columns.
type job struct {
	number, columns int
}

// A layout holds the texts of a job, laid out in columns, or an error.
type layout struct {
	job
	sheet *review.Sheet
	part  bool // whether a text is laid out only in part
	err   error
}

// A doneMsg is the message that background work sends when it is finished: a function that applies
// the result.
type doneMsg func() tea.Cmd

// Err returns the error that ended the run, or nil if the user ended it.
func (m *Model) Err() error { return m.failed }

// Init waits for the first pair.
func (m *Model) Init() tea.Cmd { return m.wait(0) }

// wait returns a command that waits until the list has more than n pairs, or, if m.Near is set,
// until it has ended. If the list has not ended by then, another wait for more pairs follows. The
// first wait also moves to the position at which the previous run stopped.
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

// Update handles a message, such as a key or the result of background work.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var next tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.ModeReportMsg:
		if msg.Mode == ansi.ModeUnicodeCore && (msg.Value == ansi.ModeReset || msg.Value == ansi.ModeSet || msg.Value == ansi.ModePermanentlySet) {
			m.method = ansi.GraphemeWidth // the renderer switches to this method too
		}
	case tea.KeyPressMsg:
		next = m.press(msg.String())
	case doneMsg:
		next = msg()
	}
	return m, tea.Batch(next, m.load())
}
