package quality

import "bytes"

// This file holds the rules that FineWeb adds to those of Gopher and C4:
// G. Penedo et al., "The FineWeb datasets: decanting the web for the finest
// text data at scale", 2024 (arXiv 2406.17557), section 3.6, with the code
// that it ran (datatrove: fineweb_quality_filter).

// linePunctRatio is the share of lines that end as a sentence does: with
// . ! ? … a quotation mark, or such a sign of another script.
func linePunctRatio(t *Text) float64 {
	return t.linesWhere(func(b []byte) bool { return hasAnySuffix(b, terminal...) })
}

var terminal = []string{
	".", "!", "?", `"`, "'", "…", "”", "’", "»", "。", "！", "？", "」", "』", "।", "॥", "؟", "۔", "።", "։", "។",
}

// shortLineRatio is the share of lines of at most 30 characters.
func shortLineRatio(t *Text) float64 {
	return t.linesWhere(func(b []byte) bool { return line(b).short(30) })
}

// charDupRatio is the share of the characters other than LF that stand in
// lines that have occurred before.
func charDupRatio(t *Text) float64 {
	_, chars, _ := t.repeatedLines(lines)
	return ratio(chars, t.length()-newlines(t))
}

// listRatio is the number of LF over that of the words.
func listRatio(t *Text) float64 { return ratio(newlines(t), t.count()) }

func newlines(t *Text) int { return bytes.Count(t.raw, []byte{'\n'}) }
