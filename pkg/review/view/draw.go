package view

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"doppel/pkg/msg"
	"doppel/pkg/review/judgement"
	"doppel/pkg/substr/worddiff/sidebyside"
)

// Escape sequences for text attributes. If NO_COLOR is set, Bubble Tea removes colours but not
// underlining and reverse video. The mark between the columns shows differences even without
// attributes.
const (
	onlyA   = "\x1b[4;31m"
	onlyB   = "\x1b[4;32m"
	faint   = "\x1b[2m"
	reverse = "\x1b[7m"
	plain   = "\x1b[m"
)

// Numbers of rows above and below the texts.
const (
	above = 2
	below = 2
)

// body returns the number of rows available for texts.
func (m *Model) body() int { return max(0, m.height-above-below) }

// columns returns the width in terminal cells that each of the two texts has on the screen.
func (m *Model) columns() int { return max(2, (m.width-3)/2) }

// View draws the screen.
func (m *Model) View() tea.View {
	all := []string{reverse + m.fit(m.title(), m.width) + plain, m.names()}
	if m.page == pairPage {
		all = append(all, m.texts()...)
	} else {
		page := m.other()
		all = append(all, page[min(m.line, len(page)):]...)
	}
	all = append(all, slices.Repeat([]string{""}, max(0, m.height-below-len(all)))...)
	all = append(all[:max(0, m.height-below)], m.noteLine(), reverse+m.fit(m.keys(), m.width)+plain)
	for i := range all {
		all[i] = m.method.Truncate(all[i], m.width, "")
	}
	v := tea.NewView(strings.Join(all[max(0, len(all)-m.height):], "\n"))
	v.AltScreen = true
	return v
}

// fit pads or truncates a text to the given number of terminal columns.
func (m *Model) fit(text string, columns int) string {
	w := m.method.StringWidth(text)
	if w > columns {
		text = m.method.Truncate(text, columns, "…")
		w = m.method.StringWidth(text)
	}
	return text + strings.Repeat(" ", max(0, columns-w))
}

// title returns the title line, which shows the position in the list and the score of the pair.
func (m *Model) title() string {
	s, status := m.Session, m.Session.List.Status()
	p, ok := s.Pair()
	switch {
	case ok && m.began:
		more, score := "", "-"
		if !status.Ended {
			more = "+"
		}
		if !math.IsNaN(p.Score) {
			score = strconv.FormatFloat(p.Score, 'f', 4, 64)
		}
		return fmt.Sprintf("pair %d of %d%s  score %s  judged %d", s.At+1, s.Len(), more, score, len(s.Ledger.All()))
	case status.Err != nil:
		return "no pairs: " + msg.Graphic(status.Err.Error())
	case status.Ended && status.Pairs == 0:
		return "no pairs"
	case m.Near:
		return fmt.Sprintf("reading the pairs: %d so far", status.Pairs)
	}
	return "waiting for pairs"
}

// names returns the line that shows both ids, and for each record whether it is kept or dropped.
func (m *Model) names() string {
	p, ok := m.Session.Pair()
	if !ok || !m.began {
		return ""
	}
	const keep, drop = "  [keep]", "  [drop]"
	fates := map[judgement.Verdict][2]string{judgement.KeepA: {keep, drop}, judgement.KeepB: {drop, keep}, judgement.Both: {keep, keep}, judgement.Neither: {drop, drop}}
	fate := fates[m.Session.Ledger.Of(p)]
	return m.fit(" a "+msg.Graphic(p.A)+fate[0], m.columns()) + " | " + m.fit("b "+msg.Graphic(p.B)+fate[1], m.columns())
}

// texts returns the visible rows of both texts.
func (m *Model) texts() (all []string) {
	if m.shown.job == m.wanted && m.shown.err != nil {
		return []string{msg.Graphic(m.shown.err.Error())}
	}
	rows := m.rows()
	if rows == nil && m.began && m.Session.Len() > 0 && m.shown.job != m.wanted {
		return []string{faint + "reading the records" + plain}
	}
	top := min(m.top, len(rows))
	for _, r := range rows[top:min(len(rows), top+m.body())] {
		if r.Equal > 0 {
			all = append(all, faint+m.fit(fmt.Sprintf("··· %d equal rows ···", r.Equal), m.width)+plain)
			continue
		}
		all = append(all, m.fit(spans(r.Left, onlyA), m.columns())+" "+string(r.Mark)+" "+m.fit(spans(r.Right, onlyB), m.columns()))
	}
	return all
}

// spans draws one side of a row. Text that the other side lacks is in colour.
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

// noteLine returns the line above the keys: a question, a message, or the precision of the
// threshold.
func (m *Model) noteLine() string {
	s := m.Session
	switch {
	case s.Asking == '/':
		return "search for: " + msg.Graphic(s.Typed) + "_"
	case s.Asking == '=':
		return "go to the score: " + msg.Graphic(s.Typed) + "_"
	case s.Message != "":
		return msg.Graphic(s.Message)
	case m.shown.part && m.shown.job == m.wanted:
		return "comparing long texts; this is the first part"
	case s.List.Status().Err != nil:
		return msg.Graphic(s.List.Status().Err.Error())
	case !s.HasCut:
		return ""
	}
	c := judgement.CutAt(s.Ledger.All(), s.Cut)
	if c.Of == 0 {
		return fmt.Sprintf("threshold %.2f: no judged pair at or above it yet", c.At)
	}
	return fmt.Sprintf("threshold %.2f: %d of %d judged are the same, %.2f (%.2f to %.2f)", c.At, c.Same, c.Of, c.Share.Value, c.Share.Low, c.Share.High)
}

// keys returns the last line of the screen, which lists the keys.
func (m *Model) keys() string {
	switch {
	case m.page != pairPage:
		return "↓ ↑ scroll; any other key goes back"
	case m.Session.Asking != 0:
		return "Enter go  Esc cancel"
	case m.width < 60:
		return "a b keep 2 both 0 none s u / = ? q"
	}
	return "a b keep  2 both  0 none  s skip  u undo  d next difference  ? help  q quit"
}

// other returns the lines of the page shown instead of a pair: the help, or the precision at each
// judged score.
func (m *Model) other() []string {
	all := help
	if m.page == tablePage {
		all = []string{"no pair with a score is judged yet"}
		for i, c := range judgement.Cuts(m.Session.Ledger.All()) {
			if i == 0 {
				all = []string{"    t  same of judged  share  95 %           pairs"}
			}
			all = append(all, fmt.Sprintf(" %.2f  %4d of %-6d  %.3f  %.3f to %.3f %6d", c.At, c.Same, c.Of, c.Share.Value, c.Share.Low, c.Share.High, m.Session.List.Above(c.At)))
		}
	}
	return all
}

var help = []string{
	"a, b         keep this one, drop the other",
	"2, 0         keep both, keep none",
	"s, →, Enter  skip: go on, decide nothing",
	"p, ←         go back",
	"u            undo the last decision",
	"g            next group (another a)",
	"/, n         search, and again",
	"=            jump to a score",
	"d, f         next difference; fold or not",
	"↓ ↑ j k      a row down, up",
	"Space, PgUp  a page down, up",
	"Home, End    first row, last row",
	"t            precision at each threshold",
	"?, h         this page",
	"q            quit; all is written",
	"",
	"Between the texts: | they differ,",
	"< only in a, > only in b.",
}
