package report

import (
	"strings"
	"unicode/utf8"

	"doppel/pkg/msg"
	"doppel/pkg/substr/worddiff"
)

// A row shows differing lines side by side, lines that both texts have, a folded run of such lines,
// or the number of bytes left out at the end.
type row struct {
	Both   string // text common to both sides
	Folded bool   // whether Both is folded
	More   int    // number of bytes left out of the text Both or, in an additional last row, of the two texts
	Lines  int    // number of lines of a folded run
	A, B   []span
}

// A span is a piece of a line; Differ means that the other text lacks it.
type span struct {
	Text   string
	Differ bool
}

// MostText is the maximum number of bytes of a text that are compared.
const MostText = 1 << 16

// Limits and estimates for the size of a page.
const (
	mostShown   = 14000 // maximum number of bytes for both texts of a comparison, except folded parts
	mostFolded  = 700   // maximum number of bytes for the text of a folded part
	mostFolds   = 4     // maximum number of folded parts per comparison whose text is included
	mostExample = 500   // maximum number of bytes for a single text
	mostName    = 200   // maximum number of bytes for an id or a label
	perSpan     = 16    // estimated number of bytes of markup per span
	perRow      = 60    // estimated number of bytes of markup per row
	near        = 120   // bytes of equal text shown on each side of a difference
)

// A layout builds the rows of a comparison from the equal and differing runs of two texts.
type layout struct {
	rows []row
	open row // the unfinished row
	left int // number of bytes of the page that are left for the comparison
	cut  int // total number of bytes left out of the two texts
	fold int // number of further folded parts whose text may be included
}

// rows compares two texts and lays them out side by side.
func rows(a, b string) []row {
	l := &layout{left: mostShown, fold: mostFolds}
	for _, r := range worddiff.Fold(worddiff.Runs(a, b), a, near) {
		text := a[r.A.Start:r.A.End]
		switch r.Kind {
		case worddiff.A:
			l.open.A = l.addSpan(l.open.A, text, true)
		case worddiff.B:
			l.open.B = l.addSpan(l.open.B, b[r.B.Start:r.B.End], true)
		case worddiff.Equal: // whole equal lines get their own row; a partial line is added to the unfinished row
			first, last := strings.IndexByte(text, '\n')+1, strings.LastIndexByte(text, '\n')+1
			if l.addBoth(text[:first]); first > 0 {
				l.endRow()
			}
			if last > first {
				l.addLines(l.showText(text[first:last], visibleBoth))
			}
			l.addBoth(text[last:])
		case worddiff.Folded:
			l.endRow()
			if l.left -= perRow; l.left <= 0 {
				l.cut += 2 * len(text)
				continue
			}
			fold := row{Folded: true, Lines: strings.Count(text, "\n"), More: len(text)}
			if l.fold > 0 { // otherwise only the size of the part is shown
				l.fold--
				var size int
				fold.Both, size = fit(text, mostFolded, visibleBoth)
				fold.More -= size
			}
			l.rows = append(l.rows, fold)
		}
	}
	l.endRow()
	if l.cut > 0 {
		l.rows = append(l.rows, row{More: l.cut})
	}
	return l.rows
}

func (l *layout) addBoth(text string) {
	if text == "" {
		return
	}
	l.open.A = l.addSpan(l.open.A, text, false)
	l.open.B = l.addSpan(l.open.B, text, false)
}

func (l *layout) addSpan(spans []span, text string, differ bool) []span {
	visible := visibleBoth
	if differ {
		visible = msg.Visible
	}
	l.left -= perSpan
	shown := l.showText(text, visible)
	if shown == "" {
		return spans
	}
	return append(spans, span{shown, differ})
}

// visibleBoth returns the visible form of text that both sides have. It hides a CR before LF, which
// is shown only where the texts differ.
func visibleBoth(text string) string { return msg.Visible(strings.ReplaceAll(text, "\r\n", "\n")) }

// endRow finishes the open row. If the row has no difference, its text is added with addLines.
func (l *layout) endRow() {
	r := l.open
	l.open = row{}
	l.left -= perRow
	switch {
	case len(r.A) == 1 && len(r.B) == 1 && !r.A[0].Differ && !r.B[0].Differ:
		l.addLines(r.A[0].Text)
	case len(r.A)+len(r.B) > 0:
		l.rows = append(l.rows, r)
	}
}

// addLines adds text that both sides have. If the previous row also has such text, and is not
// folded, the new text is appended to it; otherwise it becomes a new row.
func (l *layout) addLines(text string) {
	if n := len(l.rows); n > 0 && l.rows[n-1].Both != "" && !l.rows[n-1].Folded {
		l.rows[n-1].Both += text
		return
	}
	if text != "" {
		l.rows = append(l.rows, row{Both: text})
	}
}

// showText returns the visible form of a text, cut to the space that is left for the comparison.
func (l *layout) showText(text string, visible func(string) string) string {
	shown, size := fit(text, max(0, l.left), visible)
	l.left -= cost(shown)
	l.cut += len(text) - size
	return shown
}

// fit returns the visible form of the beginning of a text, and the size of this beginning in bytes.
// The parameter room is the maximum number of bytes that the visible form may take on the page.
func fit(text string, room int, visible func(string) string) (shown string, size int) {
	head := clipText(text, room)
	shown = visible(head)
	for spent := cost(shown); spent > room; spent = cost(shown) {
		head = clipText(head, min(len(head)-1, len(head)*room/spent))
		shown = visible(head)
	}
	return shown, len(head)
}

// cost returns the number of bytes that a text takes on the page, where its special characters are
// escaped.
func cost(shown string) int {
	n := len(shown)
	for _, c := range []byte(shown) {
		switch c {
		case '&', '<', '>', '+', '"', '\'':
			n += 4 // escaped as five bytes, such as &#34;
		}
	}
	return n
}

// clipText returns at most the first n bytes of a text, without splitting a character.
func clipText(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}
