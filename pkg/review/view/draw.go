package view

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// The attributes that are used. NO_COLOR takes the colours away, and leaves what is
// underlined and reversed; the mark between the columns says it without either.
const (
	onlyA   = "\x1b[4;31m"
	onlyB   = "\x1b[4;32m"
	faint   = "\x1b[2m"
	reverse = "\x1b[7m"
	plain   = "\x1b[m"
)

// What stands above and below the texts.
const (
	above = 2
	below = 2
)

// body returns how many rows of texts there is room for.
func (m *Model) body() int { return max(0, m.height-above-below) }

// columns returns how wide each text is.
func (m *Model) columns() int { return max(2, (m.width-3)/2) }

// View draws the screen.
func (m *Model) View() tea.View {
	v := tea.NewView(strings.Join(m.lines(), "\n"))
	v.AltScreen = true
	return v
}

// lines returns as many lines as the screen has, none wider than it is.
func (m *Model) lines() (all []string) {
	all = append(all, reverse+m.fit(m.title(), m.width)+plain, m.names())
	if m.page == pairPage {
		all = append(all, m.texts()...)
	} else {
		page := m.other()
		all = append(all, page[min(m.line, len(page)):]...)
	}
	for len(all) < m.height-below {
		all = append(all, "")
	}
	all = append(all[:max(0, m.height-below)], m.note(), reverse+m.fit(m.keys(), m.width)+plain)
	for i := range all {
		all[i] = m.method.Truncate(all[i], m.width, "")
	}
	return all[max(0, len(all)-m.height):]
}

// fit makes a text as wide as a column.
func (m *Model) fit(text string, columns int) string {
	w := m.method.StringWidth(text)
	if w > columns {
		text = m.method.Truncate(text, columns, "…")
		w = m.method.StringWidth(text)
	}
	return text + strings.Repeat(" ", max(0, columns-w))
}
