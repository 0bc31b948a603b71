package tui

import (
	"fmt"

	"doppel/pkg/wording"
)

func (m *Model) jobKeys() string {
	if m.typing {
		return "type the name of the output; Enter ends it"
	}
	return "↓ ↑ row  ← → change  Enter run  Esc back  q quit"
}

// job shows what is chosen, and what it would drop of the sample.
func (m *Model) job() []string {
	all := []string{""}
	for i, text := range m.choices() {
		if i == outputRow && m.typing {
			text += "_"
		}
		all = append(all, mark(i == m.row)+text)
	}
	return append(append(all, ""), m.preview()...)
}

// choices are the rows of what can be changed.
func (m *Model) choices() []string {
	s := &m.setup
	field, threshold := s.Field, fmt.Sprintf("%.2f", s.Threshold)
	if !s.Job.hasField() {
		field = "(whole files)"
	}
	if !s.Job.hasThreshold() {
		threshold = said[s.Job].instead
	}
	return []string{
		"job        " + s.Job.String() + ": " + said[s.Job].what,
		"field      " + field,
		"threshold  " + threshold,
		"output     " + s.Output,
	}
}

// preview says what the job would drop of the sample, and what other thresholds, or
// rules, would.
func (m *Model) preview() []string {
	sample, s := m.sample, &m.setup
	switch {
	case s.Job == Equal:
		return []string{"  the files are compared when it runs; none is changed"}
	case sample == nil:
		return []string{"  reading all, and comparing a sample"}
	}
	all := []string{"  of " + sample.what() + " it would drop", "  " + share(sample.Drops(s.Job, s.Threshold), sample.Records), ""}
	for _, row := range sample.others(s.Job) {
		all = append(all, "    "+row)
	}
	return all
}

// others are what other thresholds would drop, or each rule.
func (s *Sample) others(j Job) (rows []string) {
	switch j {
	case Fuzzy:
		for n := 50; n <= 100; n += 5 {
			at := float64(n) / 100
			rows = append(rows, fmt.Sprintf("%.2f  %s", at, share(s.Drops(Fuzzy, at), s.Records)))
		}
	case Filter:
		return s.judged.rows()
	}
	return rows
}

// what names the records of the sample.
func (s *Sample) what() string {
	if int64(s.Records) == s.Total {
		return "all " + wording.Number(s.Records, "record")
	}
	return fmt.Sprintf("%d of %s, in runs,", s.Records, wording.Number(s.Total, "record"))
}

func share(n, of int) string {
	return fmt.Sprintf("%d (%.1f %%)", n, 100*float64(n)/float64(max(1, of)))
}
