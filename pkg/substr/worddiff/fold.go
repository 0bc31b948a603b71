package worddiff

import (
	"strings"
	"unicode/utf8"
)

// dropChance drops each match of fewer than leastBetween bytes if the differences before and after
// it are both at least as long as the match. Such a match is probably a coincidence, and one larger
// difference is easier to read. dropChance always keeps the last match, which is empty and marks
// the end of both texts.
func dropChance(all []match) (kept []match) {
	end := match{}
	for i, m := range all {
		before := max(m.a-end.a, m.b-end.b)
		after := match{a: m.a + m.size, b: m.b + m.size}
		if i < len(all)-1 && m.size < leastBetween && m.size <= before && m.size <= max(all[i+1].a-after.a, all[i+1].b-after.b) {
			continue
		}
		kept, end = append(kept, m), after
	}
	return kept
}

// leastBetween is the minimum size, in bytes, of a match that dropChance always keeps.
const leastBetween = 12

// Fold replaces the middle of each equal run of more than 3*keep bytes with a run of kind Folded.
// keep is the maximum number of bytes that remain next to each difference. If possible, the text is
// cut at the end of a line or a word. An equal run at the start of the texts is folded from its
// start, and one at the end is folded to its end. The first text, a, suffices, because only equal
// runs are folded.
func Fold(runs []Run, a string, keep int) (folded []Run) {
	for i, r := range runs {
		if r.Kind != Equal || r.A.Len() <= 3*keep {
			folded = append(folded, r)
			continue
		}
		text, head, tail := a[r.A.Start:r.A.End], 0, r.A.Len()
		if i > 0 {
			head = breakBefore(text, keep)
		}
		if i < len(runs)-1 {
			tail = breakAfter(text, r.A.Len()-keep)
		}
		ends := []int{0, head, tail, r.A.Len()}
		for i, kind := range []Kind{Equal, Folded, Equal} {
			if from, to := ends[i], ends[i+1]; to > from {
				folded = append(folded, Run{kind, Span{r.A.Start + from, r.A.Start + to}, Span{r.B.Start + from, r.B.Start + to}})
			}
		}
	}
	return folded
}

// breakBefore moves an offset back to where the text can be broken: the end of a nearby line or
// word, or else the start of a code point.
func breakBefore(text string, at int) int {
	for _, end := range []string{"\n", " "} {
		if n := strings.LastIndex(text[at/2:at], end); n >= 0 {
			return at/2 + n + 1
		}
	}
	for at > 0 && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}

// breakAfter moves an offset forward to where the text can be broken: the end of a nearby line or
// word, or else the start of a code point.
func breakAfter(text string, at int) int {
	half := at + (len(text)-at)/2
	for _, end := range []string{"\n", " "} {
		if n := strings.Index(text[at:half], end); n >= 0 {
			return at + n + 1
		}
	}
	for at < len(text) && !utf8.RuneStart(text[at]) {
		at++
	}
	return at
}
