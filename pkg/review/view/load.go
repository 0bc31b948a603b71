package view

import (
	"cmp"
	"strings"

	tea "charm.land/bubbletea/v2"

	"doppel/pkg/review"
)

// firstPart is the number of bytes at the start of a long text that are compared first. Comparing
// this part takes 10 ms. Comparing whole texts of 1 MB takes a second and is done in the
// background.
const firstPart = 1 << 14

// load returns a command that reads and lays out the texts of the current pair, or nil if that is
// not needed.
func (m *Model) load() tea.Cmd {
	p, ok := m.Session.Pair()
	if !ok || !m.began || m.width == 0 {
		return nil
	}
	want := job{m.Session.Number(m.Session.At), m.columns()}
	if want == m.wanted {
		return nil
	}
	if want.number != m.wanted.number {
		m.top = 0
	}
	m.wanted = want
	texts, serial := m.Texts, m.serial.Add(1)
	return func() tea.Msg {
		a, errA := texts.Text([]byte(p.A))
		b, errB := texts.Text([]byte(p.B))
		if err := cmp.Or(errA, errB); err != nil {
			return m.show(layout{job: want, err: err}, nil)
		}
		headA, headB := head(string(a)), head(string(b))
		if len(headA) == len(a) && len(headB) == len(b) {
			return m.show(layOut(headA, headB, want, false), nil)
		}
		return m.show(layOut(headA, headB, want, true), func() tea.Msg {
			m.comparing.Lock() // one comparison at a time, so that paging through long texts does not load the machine
			defer m.comparing.Unlock()
			if m.serial.Load() != serial {
				return nil
			}
			return m.show(layOut(string(a), string(b), want, false), nil)
		})
	}
}

func layOut(a, b string, want job, part bool) layout {
	sheet, err := review.NewSheet(a, b, want.columns)
	return layout{want, sheet, part && err == nil, err}
}

// show returns a message that shows a layout if it is still wanted, and then runs a command.
func (m *Model) show(l layout, next tea.Cmd) tea.Msg {
	return doneMsg(func() tea.Cmd {
		if l.job != m.wanted {
			return nil
		}
		m.shown = l
		m.scroll(0)
		return next
	})
}

// head returns at most the first firstPart bytes of a text. If it cuts the text, it cuts after the
// last line that fits, if any.
func head(text string) string {
	if len(text) <= firstPart {
		return text
	}
	if n := strings.LastIndexByte(text[:firstPart], '\n'); n > 0 {
		return text[:n+1]
	}
	return strings.ToValidUTF8(text[:firstPart], "")
}

// rows returns the rows of the shown pair, folded or unfolded.
func (m *Model) rows() []review.Row {
	switch {
	case m.shown.sheet == nil || m.shown.job != m.wanted:
		return nil
	case m.unfolded:
		return m.shown.sheet.Rows
	}
	return m.shown.sheet.Folded
}

// scroll moves the body by the given number of rows.
func (m *Model) scroll(by int) {
	m.top = max(0, min(m.top+by, len(m.rows())-m.body()))
}
