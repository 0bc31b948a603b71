package view

import (
	"bytes"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/teatest/v2"

	"doppel/pkg/review"
	"doppel/pkg/review/judgement"
)

// patience is the time limit for a program to draw the expected screen. The limit is generous, so
// that only a program that never draws the screen fails.
var patience = teatest.WithDuration(5 * time.Minute)

// TestProgram runs the real loop of Bubble Tea with background work, pairs that arrive later, key
// presses, and quitting.
func TestProgram(t *testing.T) {
	l := review.NewList()
	defer l.Close()
	m := &Model{Session: &review.Session{List: l, Ledger: &judgement.Ledger{}}, Texts: records}
	var saved []review.Effect
	m.Save = func(e review.Effect) error { saved = append(saved, e); return nil }
	p := teatest.NewTestModel(t, m, teatest.WithInitialTermSize(80, 24))
	see := func(text string) {
		t.Helper()
		teatest.WaitFor(t, p.Output(), func(drawn []byte) bool { return bytes.Contains(drawn, []byte(text)) }, patience)
	}
	see("waiting for pairs")
	for _, line := range lines[:2] {
		if err := l.Add([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	l.End(nil)
	see("first text")
	p.Type("a")
	see("漢字")
	p.Type("u")
	see("undone")
	p.Type("2q")
	if final := p.FinalModel(t, teatest.WithFinalTimeout(5*time.Minute)).(*Model); final.Err() != nil || len(final.Session.Ledger.All()) != 1 {
		t.Errorf("%v, %v", final.Err(), final.Session.Ledger.All())
	}
	if len(saved) != 3 || saved[0] != review.Appended || saved[1] != review.Rewrote || saved[2] != review.Appended {
		t.Errorf("saved: %v", saved)
	}
}
