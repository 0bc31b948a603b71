package dupreview

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	tea "charm.land/bubbletea/v2"

	"doppel/pkg/msg"
	"doppel/pkg/review"
	"doppel/pkg/review/view"
	"doppel/pkg/tool"
)

// runScreen shows the pairs on the terminal and reads keys from it.
func (o *Options) runScreen(s *review.Session, texts review.Texts, out *output) error {
	in, screen, err := tea.OpenTTY()
	if err != nil {
		err = fmt.Errorf("no terminal for the screen and the keys")
		return msg.WithHint(err, "run {dupreview} in a terminal, or give the keys with --keys")
	}
	defer in.Close()
	defer screen.Close()
	// Let Bubble Tea handle these signals: it restores the terminal before it ends the run.
	signal.Reset(os.Interrupt, syscall.SIGTERM)
	m := &view.Model{Session: s, Texts: texts, Save: out.save, Near: s.HasCut}
	if _, err := tea.NewProgram(m, tea.WithInput(in), tea.WithOutput(screen)).Run(); err != nil {
		return err
	}
	return m.Err()
}

// pressKeys acts on the keys in o.Keys, without a terminal. It waits until all pairs have been
// read, and starts at the first undecided pair.
func (o *Options) pressKeys(s *review.Session, texts review.Texts, out *output) error {
	for !s.List.Status().Ended {
		s.List.Wait(s.List.Status().Pairs)
	}
	if s.HasCut {
		s.Order = s.List.Nearest(s.Cut)
	}
	s.At = s.Stood()
	names := map[rune]string{'\n': "enter", ' ': "space"} // the names that Bubble Tea gives to keys
	for _, r := range o.Keys {
		switch effect := s.Press(cmp.Or(names[r], string(r))); effect {
		case review.Quit:
			return nil
		case review.Unknown:
			return tool.UsageError("--keys: unknown key %q", r)
		case review.Find:
			if at := s.Search(context.Background(), texts, s.Query, s.At); at >= 0 {
				s.At = at
			}
		case review.Appended, review.Rewrote:
			if err := out.save(effect); err != nil {
				return err
			}
		}
	}
	return nil
}
