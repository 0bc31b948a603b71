package tui

import (
	"fmt"
	"strings"
)

// mostBins is how many ranges the histogram has, if there is room for them and some
// groups.
const mostBins = 10

// result shows the histogram of scores, and the groups.
func (m *Model) result() []string {
	if m.running {
		return []string{"writing"}
	}
	if m.outcome.Pairs == nil {
		return m.outcome.Rows[min(m.top, len(m.outcome.Rows)):]
	}
	all := m.histogram()
	all = append(all, "", fmt.Sprintf("%d groups: kept, and how many go for it", len(m.groups)))
	room := max(1, m.body()-len(all))
	first := max(0, m.top-room+1)
	for i := first; i < len(m.groups) && i < first+room; i++ {
		all = append(all, fmt.Sprintf("%s%-20s %d", mark(i == m.top), m.groups[i].A, m.groups[i].Pairs))
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
		return "w write  ↓ ↑ scroll  Esc back  q quit"
	}
	return "Enter its pairs  ↓ ↑ group  w write  Esc back  q quit"
}
