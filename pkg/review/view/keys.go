package view

import (
	"context"
	"fmt"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"doppel/pkg/msg"
	"doppel/pkg/review"
)

// press handles a key and cancels any search that is still running.
func (m *Model) press(key string) tea.Cmd {
	m.cancel()
	if m.page != pairPage && key != "ctrl+c" { // scroll or leave the page
		switch key {
		case "down", "j", "space", "pgdown":
			m.line = max(0, min(m.line+1, len(m.other())-m.body()))
		case "up", "k", "pgup":
			m.line = max(0, m.line-1)
		default:
			m.page, m.line = pairPage, 0
		}
		return nil
	}
	if m.failed != nil {
		return tea.Quit
	}
	switch effect := m.Session.Press(key); effect {
	case review.Quit:
		return tea.Quit
	case review.Appended, review.Rewrote:
		if m.failed = m.Save(effect); m.failed != nil { // the error is shown, and the next key ends the run
			m.Session.Message = m.failed.Error()
		}
	case review.Find:
		return m.find()
	case review.Unknown: // keys that change only the view
		by, scrolls := m.scrollRows(key)
		switch {
		case scrolls:
			m.scroll(by)
		case key == "f":
			m.unfolded, m.top = !m.unfolded, 0
		case key == "t":
			m.page = tablePage
		case key == "?" || key == "h":
			m.page = helpPage
		case utf8.RuneCountInString(key) == 1:
			m.Session.Message = fmt.Sprintf("unknown key %s: ? lists the keys", msg.Graphic(key))
		}
	}
	return nil
}

// scrollRows returns the number of rows by which a key scrolls; ok is false if the key does not
// scroll.
func (m *Model) scrollRows(key string) (by int, ok bool) {
	page := max(1, m.body()-1)
	switch key {
	case "down", "j":
		return 1, true
	case "up", "k":
		return -1, true
	case "pgdown", "space":
		return page, true
	case "pgup":
		return -page, true
	case "home":
		return -m.top, true
	case "end":
		return len(m.rows()), true
	case "d":
		return review.NextDifference(m.rows(), m.top) - m.top, true
	}
	return 0, false
}

// find searches in the background until it finds a match or a key is pressed.
func (m *Model) find() tea.Cmd {
	ctx, stop := context.WithCancel(context.Background())
	m.stop = stop
	frozen, texts := *m.Session, m.Texts
	return func() tea.Msg {
		at := frozen.Search(ctx, texts, frozen.Query, frozen.At)
		if ctx.Err() != nil {
			return nil
		}
		return doneMsg(func() tea.Cmd {
			m.cancel()
			if m.Session.Message = ""; at < 0 {
				m.Session.Message = fmt.Sprintf("%s: in none of the pairs read so far", msg.Graphic(m.Session.Query))
			} else {
				m.Session.At = at
			}
			return nil
		})
	}
}

func (m *Model) cancel() {
	if m.stop != nil {
		m.stop()
		m.stop = nil
	}
}
