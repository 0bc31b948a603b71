package view

import (
	"fmt"
	"strings"

	"doppel/pkg/review"
	"doppel/pkg/sidebyside"
	"doppel/pkg/wording"
)

// texts returns the rows of both texts that there is room for.
func (m *Model) texts() (all []string) {
	if m.shown.job == m.wanted && m.shown.err != nil {
		return []string{wording.Graphic(m.shown.err.Error())}
	}
	rows := m.rows()
	if rows == nil && m.began && m.Session.Len() > 0 && m.shown.job != m.wanted {
		return []string{faint + "reading the records" + plain}
	}
	top := min(m.top, len(rows))
	for _, r := range rows[top:min(len(rows), top+m.body())] {
		all = append(all, m.row(r))
	}
	return all
}

// row draws a row of both texts.
func (m *Model) row(r review.Row) string {
	if r.Equal > 0 {
		return faint + m.fit(fmt.Sprintf("··· %d equal rows ···", r.Equal), m.width) + plain
	}
	return m.fit(spans(r.Left, onlyA), m.columns()) + " " + string(r.Mark) + " " + m.fit(spans(r.Right, onlyB), m.columns())
}

// spans draws one text of a row, with what the other has not in a colour.
func spans(line []sidebyside.Span, colour string) string {
	var b strings.Builder
	for _, s := range line {
		if s.Shared {
			b.WriteString(s.Text)
		} else {
			b.WriteString(colour + s.Text + plain)
		}
	}
	return b.String()
}
