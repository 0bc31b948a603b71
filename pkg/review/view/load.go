package view

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"doppel/pkg/review"
	"doppel/pkg/review/judgement"
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
	texts := m.Texts
	return func() tea.Msg {
		f := fetch(texts, p, want)
		return doneMsg(func() tea.Cmd {
			if f.job != m.wanted {
				return nil
			}
			m.show(f.layout)
			if !f.part || f.err != nil {
				return nil
			}
			if m.comparing { // one comparison at a time, so that paging through long texts does not load the machine
				m.next = f
				return nil
			}
			return m.compare(f)
		})
	}
}

// fetch reads the texts of a pair and lays out the beginning of each text.
func fetch(texts review.Texts, p judgement.Pair, want job) (f fetchedTexts) {
	f.job = want
	a, err := texts.Text([]byte(p.A))
	if err != nil {
		f.err = err
		return f
	}
	b, err := texts.Text([]byte(p.B))
	if err != nil {
		f.err = err
		return f
	}
	f.a, f.b = string(a), string(b)
	headA, headB := head(f.a), head(f.b)
	f.part = len(headA) < len(f.a) || len(headB) < len(f.b)
	f.sheet, f.err = review.NewSheet(headA, headB, want.columns)
	return f
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

// compare compares complete texts in the background. If the texts of another pair are waiting when
// it is done, it compares these texts next.
func (m *Model) compare(f fetchedTexts) tea.Cmd {
	m.comparing, m.next = true, fetchedTexts{}
	return func() tea.Msg {
		sheet, err := review.NewSheet(f.a, f.b, f.columns)
		return doneMsg(func() tea.Cmd {
			m.comparing = false
			if f.job == m.wanted {
				m.show(layout{f.job, sheet, false, err})
			}
			if next := m.next; next.part && next.job == m.wanted {
				return m.compare(next)
			}
			return nil
		})
	}
}

func (m *Model) show(l layout) {
	m.shown = l
	m.scroll(0)
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
