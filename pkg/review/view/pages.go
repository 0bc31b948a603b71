package view

import (
	"fmt"

	"doppel/pkg/review/judgement"
)

// other returns the lines of a page that is not of a pair.
func (m *Model) other() []string {
	if m.page == helpPage {
		return help
	}
	return m.table()
}

var help = []string{
	"a, b         keep it, drop the other",
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
	"t            precision at each cut",
	"?, h         this page",
	"q            quit; all is written",
	"",
	"Between the texts: | they differ,",
	"< only in a, > only in b.",
}

// table shows the precision at each threshold among the scores that were judged.
func (m *Model) table() []string {
	cuts := judgement.Cuts(m.Session.Ledger.All())
	if len(cuts) == 0 {
		return []string{"nothing with a score was judged yet"}
	}
	all := []string{"  cut  same of judged  share  95 %           pairs"}
	for _, c := range cuts {
		all = append(all, fmt.Sprintf(" %.2f  %4d of %-6d  %.3f  %.3f to %.3f %6d", c.At, c.Same, c.Of, c.Share.Value, c.Share.Low, c.Share.High, m.Session.List.Above(c.At)))
	}
	return all
}
