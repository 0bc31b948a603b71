package report

import (
	"strings"
	"unicode/utf8"

	"doppel/pkg/substr/worddiff"
	"doppel/pkg/wording"
)

// A row is what stands side by side, or what stands in both texts, or such a
// stretch that is folded.
type row struct {
	Both   string // in both texts
	Folded bool   // and folded
	More   int    // bytes of Both that are left out, or in the last row of all
	Lines  int    // of a stretch that is folded
	A, B   []span
}

// A span is a piece of a line, which the other text lacks or not.
type span struct {
	Text   string
	Differ bool
}

// MostText is how many bytes of a text are compared.
const MostText = 1 << 16

// How many bytes of the page are spent.
const (
	mostShown   = 14000 // on both texts together, on what is not folded
	mostFolded  = 700   // on what is folded, in each place
	mostFolds   = 4     // places that can be unfolded, in each comparison
	mostExample = 500   // on a text that stands alone
	mostName    = 200   // on an id and the like
	perSpan     = 16    // on what marks a span
	perRow      = 60    // and a row
	near        = 120   // of a text, on each side of a difference
)

// A layout makes rows of runs.
type layout struct {
	rows []row
	open row // the row that is begun
	left int // bytes of the page that may still be spent
	cut  int // bytes of the texts that are not shown
	fold int // places that may still be unfolded
}

// rows lays two texts out.
func rows(a, b string) []row {
	l := &layout{left: mostShown, fold: mostFolds}
	for _, r := range worddiff.Fold(worddiff.Runs(a, b), a, near) {
		text := a[r.A.Start:r.A.End]
		switch r.Kind {
		case worddiff.A:
			l.open.A = l.add(l.open.A, text, true)
		case worddiff.B:
			l.open.B = l.add(l.open.B, b[r.B.Start:r.B.End], true)
		case worddiff.Equal: // whole lines stand by themselves, and the rest in the row that is begun
			first, last := strings.IndexByte(text, '\n')+1, strings.LastIndexByte(text, '\n')+1
			if l.both(text[:first]); first > 0 {
				l.end()
			}
			if last > first {
				l.whole(l.take(text[first:last], plain))
			}
			l.both(text[last:])
		case worddiff.Folded:
			l.end()
			if l.left -= perRow; l.left <= 0 {
				l.cut += 2 * len(text)
				continue
			}
			fold := row{Folded: true, Lines: strings.Count(text, "\n"), More: len(text)}
			if l.fold > 0 { // what cannot be unfolded is counted
				l.fold--
				var size int
				fold.Both, size = fit(text, mostFolded, plain)
				fold.More -= size
			}
			l.rows = append(l.rows, fold)
		}
	}
	l.end()
	if l.cut > 0 {
		l.rows = append(l.rows, row{More: l.cut})
	}
	return l.rows
}

func (l *layout) both(text string) {
	if text == "" {
		return
	}
	l.open.A = l.add(l.open.A, text, false)
	l.open.B = l.add(l.open.B, text, false)
}

func (l *layout) add(spans []span, text string, differ bool) []span {
	visible := plain
	if differ {
		visible = wording.Visible
	}
	l.left -= perSpan
	shown := l.take(text, visible)
	if shown == "" {
		return spans
	}
	return append(spans, span{shown, differ})
}

// plain is what stands in both texts, visible. Ends of lines as of Windows are shown
// where they differ, not here.
func plain(text string) string { return wording.Visible(strings.ReplaceAll(text, "\r\n", "\n")) }

// end ends the row that is begun. One without a difference stands in both.
func (l *layout) end() {
	r := l.open
	l.open = row{}
	l.left -= perRow
	switch {
	case len(r.A) == 1 && len(r.B) == 1 && !r.A[0].Differ && !r.B[0].Differ:
		l.whole(r.A[0].Text)
	case len(r.A)+len(r.B) > 0:
		l.rows = append(l.rows, r)
	}
}

// whole adds lines that stand in both, to those before them if there are such.
func (l *layout) whole(text string) {
	if n := len(l.rows); n > 0 && l.rows[n-1].Both != "" && !l.rows[n-1].Folded {
		l.rows[n-1].Both += text
		return
	}
	if text != "" {
		l.rows = append(l.rows, row{Both: text})
	}
}

// take returns as much of a text as may still be shown, visible.
func (l *layout) take(text string, visible func(string) string) string {
	shown, size := fit(text, max(0, l.left), visible)
	l.left -= cost(shown)
	l.cut += len(text) - size
	return shown
}

// fit returns the beginning of a text, visible, that costs no more than some bytes
// of the page, and how much of the text it is.
func fit(text string, room int, visible func(string) string) (shown string, size int) {
	head := clip(text, room)
	shown = visible(head)
	for spent := cost(shown); spent > room; spent = cost(shown) {
		head = clip(head, min(len(head)-1, len(head)*room/spent))
		shown = visible(head)
	}
	return shown, len(head)
}

// cost returns how many bytes of a page a text takes.
func cost(shown string) int {
	n := len(shown)
	for _, c := range []byte(shown) {
		switch c {
		case '&', '<', '>', '+', '"', '\'':
			n += 4 // as in &#34;
		}
	}
	return n
}

// clip returns the beginning of a text, of at most n bytes and whole characters.
func clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}
