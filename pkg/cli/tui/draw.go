package tui

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"doppel/pkg/msg"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

const (
	reverse = "\x1b[7m"
	plain   = "\x1b[m"
)

// body returns the number of rows between the title and the command.
func (m *Model) body() int { return max(1, m.height-2-len(m.foot())) }

// foot returns the lines that show the command. They fill at most a third of the screen.
func (m *Model) foot() []string {
	if m.width < 1 {
		return nil
	}
	command := "doppel " + strings.Join(jobTexts[m.setup.Job].words, " ")
	if len(m.setup.Files) > 0 {
		command = m.setup.Command()
	}
	all := strings.Split(ansi.Hardwrap(msg.Graphic("$ "+command), m.width, true), "\n")
	return all[:min(len(all), max(1, m.height/3))]
}

// View draws the screen. It has at most m.height lines, none wider than m.width.
func (m *Model) View() tea.View {
	var all []string
	if m.page == pairsPage {
		all = append(strings.Split(m.pairs.View().Content, "\n"), m.foot()...)
	} else {
		cut := func(text string) string { return ansi.Truncate(text, m.width, "…") }
		bar := func(text string) string {
			text = cut(msg.Graphic(text))
			return cut(reverse + text + strings.Repeat(" ", max(0, m.width-ansi.StringWidth(text))) + plain)
		}
		title, body, keys := m.content()
		if m.err != "" {
			keys = m.err
		}
		body = append(slices.Clip(body[:min(len(body), m.body())]), make([]string, max(0, m.body()-len(body)))...)
		all = append(all, bar(title))
		for _, text := range append(body, m.foot()...) {
			all = append(all, cut(msg.Graphic(text)))
		}
		all = append(all, bar(keys))
	}
	v := tea.NewView(strings.Join(all[max(0, len(all)-m.height):], "\n"))
	v.AltScreen = true
	return v
}

// content returns the title and the rows of the current page, and a text that explains its keys.
func (m *Model) content() (title string, body []string, keys string) {
	switch m.page {
	case filesPage:
		return "1 files: " + m.picker.dir, m.files(), "Enter open  x choose  g go on  q quit"
	case lookPage:
		body = []string{"reading"}
		if m.records != nil {
			body = m.records[min(m.top, len(m.records)):]
		}
		return "2 the first records", body, "Enter next  ↓ ↑ scroll  Esc back  q quit"
	case jobPage:
		keys = "↓ ↑ row  ← → change  Enter run  Esc back  q quit"
		if m.typing {
			keys = "type the name of the output, then Enter"
		}
		return "3 the job", m.job(), keys
	case runPage:
		return "4 running", []string{"", m.progress}, "q quit, and write nothing"
	case resultPage:
		keys = "Enter its pairs  ↓ ↑ group  w write  Esc back  q quit"
		if m.outcome.Pairs == nil {
			keys = "w write  ↓ ↑ scroll  Esc back  q quit"
		}
		return "5 " + m.outcome.Told, m.result(), keys
	}
	return "6 " + m.written, []string{"", "To run the same again, without this screen:"}, "any key quits"
}

// mark returns the first two characters of a row: "> " at the cursor, otherwise spaces.
func mark(at bool) string {
	if at {
		return "> "
	}
	return "  "
}

// files lists the entries around the cursor.
func (m *Model) files() (all []string) {
	p := m.picker
	for i := max(0, p.at-m.body()+1); i <= len(p.entries) && len(all) < m.body(); i++ {
		label := "    ../"
		if i > 0 {
			name, box, end := p.entries[i-1].Name(), "[ ] ", ""
			if slices.Contains(p.chosen, filepath.Join(p.dir, name)) {
				box = "[x] "
			}
			if p.entries[i-1].IsDir() {
				end = "/"
			}
			label = box + name + end
		}
		all = append(all, mark(i == p.at)+label)
	}
	return all
}

// job shows the user's choices, and how many records of the sample the job would drop. It also
// shows these numbers at other thresholds for the fuzzy job, and by rule for the filter job.
func (m *Model) job() []string {
	s, sample := &m.setup, m.sample
	field, threshold := s.Field, jobTexts[s.Job].instead
	if s.Job == Equal {
		field = "(whole files)"
	}
	if s.Job == Fuzzy {
		threshold = fmt.Sprintf("%.2f", s.Threshold)
	}
	all := []string{""}
	for i, text := range []string{
		"job        " + s.Job.String() + ": " + jobTexts[s.Job].what,
		"field      " + field,
		"threshold  " + threshold,
		"output     " + s.Output,
	} {
		if i == outputRow && m.typing {
			text += "_"
		}
		all = append(all, mark(i == m.row)+text)
	}
	switch {
	case s.Job == Equal:
		return append(all, "", "  the files are compared during the run; no file is changed")
	case sample == nil:
		return append(all, "", "  reading all records, and comparing a sample")
	}
	share := func(threshold float64) string {
		n := sample.Drops(s.Job, threshold)
		return fmt.Sprintf("%d (%.1f %%)", n, 100*float64(n)/float64(max(1, sample.Records)))
	}
	of := fmt.Sprintf("%d of %s, drawn in runs,", sample.Records, msg.Number(sample.Total, "record"))
	if int64(sample.Records) == sample.Total {
		of = "all " + msg.Number(sample.Records, "record")
	}
	all = append(all, "", "  of "+of+" the job would drop", "  "+share(s.Threshold), "")
	switch s.Job {
	case Fuzzy:
		for n := 50; n <= 100; n += 5 {
			at := float64(n) / 100
			all = append(all, fmt.Sprintf("    %.2f  %s", at, share(at)))
		}
	case Filter:
		for _, row := range sample.judged.rows() {
			all = append(all, "    "+row)
		}
	}
	return all
}

// result shows a histogram of scores, with 2 to 10 ranges, and the groups below it. For a job
// without pairs, it shows the rows of the outcome.
func (m *Model) result() (all []string) {
	if m.running {
		return []string{"writing"}
	}
	if m.outcome.Pairs == nil {
		return m.outcome.Rows[min(m.top, len(m.outcome.Rows)):]
	}
	low, bins := m.setup.Threshold, max(2, min(10, m.body()/2-1))
	counts, room := m.outcome.Pairs.Histogram(low, bins), max(1, m.width-24)
	most := max(1, slices.Max(counts))
	for i, n := range counts {
		from := low + (1-low)/float64(bins)*float64(i)
		all = append(all, fmt.Sprintf("%.3f %8d %s", from, n, strings.Repeat("#", (n*room+most-1)/most)))
	}
	all = append(all, "", fmt.Sprintf("%d groups: kept record, and number of duplicates", len(m.groups)))
	room = max(1, m.body()-len(all))
	first := max(0, m.top-room+1)
	for i := first; i < len(m.groups) && i < first+room; i++ {
		all = append(all, fmt.Sprintf("%s%-20s %d", mark(i == m.top), m.groups[i].A, m.groups[i].Pairs))
	}
	return all
}
