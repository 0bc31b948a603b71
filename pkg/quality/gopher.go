package quality

import (
	"bytes"
	"unicode/utf8"
)

// This file holds the rules of Gopher: J. W. Rae et al., "Scaling language
// models: methods, analysis & insights from training Gopher", 2021
// (arXiv 2112.11446), section A.1.1 and table A1, read with the code that
// FineWeb ran (datatrove: gopher_quality_filter, gopher_repetition_filter).
// Where that splits punctuation off as words of their own, a word here is that
// of the package; the paper leaves it open.

// hashWordRatio is the number of # over that of the words.
func hashWordRatio(t *Text) float64 {
	return ratio(bytes.Count(t.raw, []byte("#")), t.count())
}

// ellipsisWordRatio is the number of ... and … over that of the words.
func ellipsisWordRatio(t *Text) float64 {
	n := bytes.Count(t.raw, []byte("...")) + bytes.Count(t.raw, []byte("…"))
	return ratio(n, t.count())
}

// bulletLinesRatio is the share of lines that start with a bullet: •, ‣, ◦, -
// or *, the last two only before a space.
func bulletLinesRatio(t *Text) float64 {
	return t.linesWhere(func(b []byte) bool {
		return bytes.HasPrefix(b, []byte("•")) || bytes.HasPrefix(b, []byte("‣")) || bytes.HasPrefix(b, []byte("◦")) ||
			bytes.HasPrefix(b, []byte("- ")) || bytes.HasPrefix(b, []byte("* "))
	})
}

// ellipsisLinesRatio is the share of lines that end with ... or ….
func ellipsisLinesRatio(t *Text) float64 {
	return t.linesWhere(func(b []byte) bool { return hasAnySuffix(b, "...", "…") })
}

// alphaWordsRatio is the share of words with at least one letter.
func alphaWordsRatio(t *Text) float64 {
	n := 0
	for p := range t.parts {
		for _, w := range p.words {
			if w.lone || hasLetter(p.bytesOf(w)) {
				n++
			}
		}
	}
	return ratio(n, t.count())
}

func hasLetter(b []byte) bool {
	for i := 0; i < len(b); {
		if b[i] < utf8.RuneSelf {
			if isASCIILetter(b[i]) {
				return true
			}
			i++
			continue
		}
		c, size := decode(b[i:])
		if c&alphabet != 0 {
			return true
		}
		i += size
	}
	return false
}

// dupFraction returns the metric: the share of lines, or paragraphs, that have occurred
// before.
func dupFraction(p pieces) func(*Text) float64 {
	return func(t *Text) float64 {
		n, _, all := t.repeatedLines(p)
		return ratio(n, all)
	}
}

// dupCharFraction returns the metric: the share of all characters that stand in lines, or
// paragraphs, that have occurred before.
func dupCharFraction(p pieces) func(*Text) float64 {
	return func(t *Text) float64 {
		_, chars, _ := t.repeatedLines(p)
		return ratio(chars, t.length())
	}
}

// topGramCharFraction returns the metric: the characters of all occurrences of
// the commonest n-gram of words, joined by single spaces, over all characters;
// 0 if none occurs twice. Gopher asks for n from 2 to 4; n is 1 to 10.
func topGramCharFraction(n int) func(*Text) float64 {
	return func(t *Text) float64 { return ratio(t.topChars(n), t.length()) }
}

// dupGramCharFraction returns the metric: the characters of words in n-grams
// that have occurred before, no word counted twice, over all characters.
// Gopher asks for n from 5 to 10; n is 1 to 10.
func dupGramCharFraction(n int) func(*Text) float64 {
	return func(t *Text) float64 { return ratio(t.dupChars(n), t.length()) }
}
