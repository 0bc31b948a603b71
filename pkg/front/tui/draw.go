package tui

import (
	"strings"

	"doppel/pkg/wording"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

const (
	reverse = "\x1b[7m"
	plain   = "\x1b[m"
)

// body returns how many rows there are between the title and the command.
func (m *Model) body() int { return max(1, m.height-2-len(m.foot())) }

// foot is the command, on as many lines as it takes, but for a third of the screen.
func (m *Model) foot() []string {
	if m.width < 1 {
		return nil
	}
	all := strings.Split(ansi.Hardwrap(wording.Graphic(m.command()), m.width, true), "\n")
	return all[:min(len(all), max(1, m.height/3))]
}

// View draws the screen.
func (m *Model) View() tea.View {
	v := tea.NewView(strings.Join(m.screen(), "\n"))
	v.AltScreen = true
	return v
}

// screen returns as many lines as the screen has, none wider than it is.
func (m *Model) screen() (all []string) {
	if m.page == pairsPage {
		all = append(strings.Split(m.pairs.View().Content, "\n"), m.foot()...)
		return all[max(0, len(all)-m.height):]
	}
	title, body, keys := m.content()
	if m.err != "" {
		keys = m.err
	}
	all = append(all, m.bar(title))
	all = append(all, body[:min(len(body), m.body())]...)
	for len(all) <= m.body() {
		all = append(all, "")
	}
	all = append(append(all, m.foot()...), m.bar(keys))
	for i := range all {
		if i > 0 && i < len(all)-1 {
			all[i] = wording.Graphic(all[i])
		}
		all[i] = m.cut(all[i])
	}
	return all[max(0, len(all)-m.height):]
}

// bar is a line in reverse.
func (m *Model) bar(text string) string {
	text = m.cut(wording.Graphic(text))
	return reverse + text + strings.Repeat(" ", max(0, m.width-ansi.StringWidth(text))) + plain
}

func (m *Model) cut(text string) string { return ansi.Truncate(text, m.width, "…") }

// content returns the title of a page, its rows, and its keys.
func (m *Model) content() (title string, body []string, keys string) {
	switch m.page {
	case filesPage:
		return "1 files: " + m.picker.dir, m.files(), "Enter open  x choose  g go on  q quit"
	case lookPage:
		return "2 the first records", m.first(), "Enter next  ↓ ↑ scroll  Esc back  q quit"
	case jobPage:
		return "3 the job", m.job(), m.jobKeys()
	case runPage:
		return "4 running", []string{"", m.progress}, "q quit: nothing is written"
	case resultPage:
		return "5 " + m.outcome.Told, m.result(), m.resultKeys()
	}
	return "6 " + m.written, []string{"", "The same again, without this screen:"}, "any key quits"
}

// files lists the entries around the cursor.
func (m *Model) files() (all []string) {
	first := max(0, m.picker.at-m.body()+1)
	for i := first; i <= len(m.picker.entries) && len(all) < m.body(); i++ {
		all = append(all, mark(i == m.picker.at)+m.picker.label(i))
	}
	return all
}

// mark stands in front of a row that a cursor can be at.
func mark(at bool) string {
	if at {
		return "> "
	}
	return "  "
}

func (m *Model) first() []string {
	if m.records == nil {
		return []string{"reading"}
	}
	return m.records[min(m.top, len(m.records)):]
}
