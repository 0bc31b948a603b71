package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"doppel/pkg/review"
	"doppel/pkg/tool"
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
	all := strings.Split(ansi.Hardwrap(review.Printable(m.command()), m.width, true), "\n")
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
			all[i] = review.Printable(all[i])
		}
		all[i] = m.cut(all[i])
	}
	return all[max(0, len(all)-m.height):]
}

// bar is a line in reverse.
func (m *Model) bar(text string) string {
	text = m.cut(review.Printable(text))
	return reverse + text + strings.Repeat(" ", max(0, m.width-ansi.StringWidth(text))) + plain
}

func (m *Model) cut(text string) string { return ansi.Truncate(text, m.width, "…") }

// content returns the title of a page, its rows, and its keys.
func (m *Model) content() (title string, body []string, keys string) {
	switch m.page {
	case filesPage:
		return "1 files: " + m.picker.dir, m.files(), "Enter open  x choose more  q quit"
	case lookPage:
		return "2 the first records", m.first(), "Enter next  ↓ ↑ scroll  Esc back  q quit"
	case jobPage:
		return "3 the job", m.job(), m.jobKeys()
	case runPage:
		return "4 running", []string{"", m.told}, "q quit: nothing is written"
	case resultPage:
		return "5 " + m.outcome.Told, m.result(), m.resultKeys()
	}
	return "6 " + m.written, []string{"", "The same again, without this screen:"}, "any key quits"
}

// files lists the entries around the cursor.
func (m *Model) files() (all []string) {
	first := max(0, m.picker.at-m.body()+1)
	for i := first; i <= len(m.picker.entries) && len(all) < m.body(); i++ {
		mark := "  "
		if i == m.picker.at {
			mark = "> "
		}
		all = append(all, mark+m.picker.label(i))
	}
	return all
}

func (m *Model) first() []string {
	if m.records == nil {
		return []string{"reading"}
	}
	return m.records[min(m.top, len(m.records)):]
}

func (m *Model) jobKeys() string {
	if m.typing {
		return "type the name of the output; Enter ends it"
	}
	return "↓ ↑ row  ← → change  Enter run  Esc back  q quit"
}

// job shows what is chosen, and what it would drop of the sample.
func (m *Model) job() []string {
	s := &m.setup
	threshold := fmt.Sprintf("%.2f", s.Threshold)
	if s.Job == Exact {
		threshold = "(equal)"
	}
	all := []string{""}
	for i, text := range []string{
		"job        " + s.Job.String() + ": " + s.Job.what(),
		"field      " + s.Field,
		"threshold  " + threshold,
		"output     " + s.Output,
	} {
		mark := "  "
		if i == m.row {
			mark = "> "
		}
		if i == outputRow && m.typing {
			text += "_"
		}
		all = append(all, mark+text)
	}
	return append(append(all, ""), m.preview()...)
}

// preview says what the job would drop of the sample, and what other thresholds would.
func (m *Model) preview() []string {
	sample, s := m.sample, &m.setup
	if sample == nil {
		return []string{"  comparing the first records"}
	}
	all := []string{"  of the first " + tool.Number(sample.Records, "record") + " it would drop " + share(sample.Drops(s.Job, s.Threshold), sample.Records)}
	if s.Job == Exact {
		return all
	}
	all = append(all, "")
	for n := 50; n <= 100; n += 5 {
		at := float64(n) / 100
		all = append(all, fmt.Sprintf("    %.2f  %s", at, share(sample.Drops(Fuzzy, at), sample.Records)))
	}
	return all
}

func share(n, of int) string {
	return fmt.Sprintf("%d (%.1f %%)", n, 100*float64(n)/float64(max(1, of)))
}

// mostBins is how many ranges the histogram has, if there is room for them and some
// groups.
const mostBins = 10

// result shows the histogram of scores, and the groups.
func (m *Model) result() []string {
	if m.running {
		return []string{"writing"}
	}
	if m.outcome.Pairs == nil {
		return nil
	}
	all := m.histogram()
	all = append(all, "", fmt.Sprintf("%d groups: kept, and how many go for it", len(m.groups)))
	room := max(1, m.body()-len(all))
	first := max(0, m.top-room+1)
	for i := first; i < len(m.groups) && i < first+room; i++ {
		mark := "  "
		if i == m.top {
			mark = "> "
		}
		all = append(all, fmt.Sprintf("%s%-20s %d", mark, m.groups[i].A, m.groups[i].Pairs))
	}
	return all
}

// histogram draws how many were dropped with which score.
func (m *Model) histogram() (all []string) {
	low, bins := m.setup.Threshold, max(2, min(mostBins, m.body()/2-1))
	counts := m.outcome.Pairs.Histogram(low, bins)
	most := 1
	for _, n := range counts {
		most = max(most, n)
	}
	room := max(1, m.width-24)
	for i, n := range counts {
		from := low + (1-low)/float64(bins)*float64(i)
		bar := strings.Repeat("#", (n*room+most-1)/most)
		all = append(all, fmt.Sprintf("%.3f %8d %s", from, n, bar))
	}
	return all
}

func (m *Model) resultKeys() string {
	if m.outcome.Pairs == nil {
		return "w write  Esc back  q quit"
	}
	return "Enter its pairs  ↓ ↑ group  w write  Esc back  q quit"
}
