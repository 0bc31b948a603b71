package tui

import (
	"bytes"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/teatest/v2"
	"github.com/google/go-cmp/cmp"
)

// TestProgram goes through all pages and resizes the screen, in the real event loop of Bubble
// Tea.
func TestProgram(t *testing.T) {
	f := &fake{}
	p := teatest.NewTestModel(t, start(t, f, 80, 24), teatest.WithInitialTermSize(80, 24))
	see := func(text string) {
		t.Helper()
		teatest.WaitFor(t, p.Output(), func(drawn []byte) bool { return bytes.Contains(drawn, []byte(text)) },
			teatest.WithDuration(5*time.Minute))
	}
	key := func(code rune, text string) {
		t.Helper()
		p.Send(tea.KeyPressMsg{Code: code})
		see(text)
	}
	see("b.jsonl")
	p.Send(tea.KeyPressMsg{Code: tea.KeyDown})
	key(tea.KeyEnter, "# record 0")
	key(tea.KeyEnter, "2 (50.0 %)")
	key(tea.KeyEnter, "3 records would be dropped")
	p.Send(tea.WindowSizeMsg{Width: 40, Height: 12})
	see("2 groups")
	p.Type("w")
	see("wrote a.deduped.jsonl")
	p.Type("q")
	p.WaitFinished(t, teatest.WithFinalTimeout(5*time.Minute))
	const args = " doppel fuzzy --threshold=0.8 --field=body --output=a.deduped.jsonl a.jsonl"
	want := []string{"look doppel fuzzy --threshold=0 --field= a.jsonl", "sample" + args, "run" + args, "write" + args}
	if d := cmp.Diff(want, f.asked); d != "" {
		t.Error(d)
	}
}
