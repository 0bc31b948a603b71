package view

import (
	"fmt"

	"doppel/pkg/review/judgement"
	"doppel/pkg/wording"
)

// note is the line above the keys: what is asked or told, or what follows for the cut.
func (m *Model) note() string {
	s := m.Session
	switch {
	case s.Asking == '/':
		return "search for: " + wording.Graphic(s.Typed) + "_"
	case s.Asking == '=':
		return "go to the score: " + wording.Graphic(s.Typed) + "_"
	case s.Message != "":
		return wording.Graphic(s.Message)
	case m.shown.part && m.shown.job == m.wanted:
		return "comparing long texts; this is the first part"
	case s.List.Status().Err != nil:
		return wording.Graphic(s.List.Status().Err.Error())
	case s.HasCut:
		return cut(judgement.CutAt(s.Ledger.All(), s.Cut))
	}
	return ""
}

// cut says what judgements say of a threshold.
func cut(c judgement.Cut) string {
	if c.Of == 0 {
		return fmt.Sprintf("cut %.2f: nothing judged at or above it yet", c.At)
	}
	return fmt.Sprintf("cut %.2f: %d of %d judged are the same, %.2f (%.2f to %.2f)", c.At, c.Same, c.Of, c.Share.Value, c.Share.Low, c.Share.High)
}

// keys is the last line.
func (m *Model) keys() string {
	switch {
	case m.page != pairPage:
		return "↓ ↑ scroll; any other key goes back"
	case m.Session.Asking != 0:
		return "Enter goes there  Esc does not"
	case m.Session.Fixed:
		return "s next  p back  g next group  d next difference  / search  = score  q back"
	case m.width < 60:
		return "a b keep 2 both 0 none s u / = ? q"
	}
	return "a b keep  2 both  0 none  s skip  u undo  d next difference  ? help  q quit"
}
