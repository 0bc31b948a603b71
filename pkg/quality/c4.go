package quality

import (
	"bytes"
	"unicode/utf8"
)

// This file holds the metrics of C4, a data set described by Raffel et al., "Exploring the limits
// of transfer learning with a unified text-to-text transformer", JMLR 21 (2020), section 2.2. The
// limits are those in the code that FineWeb ran (datatrove: c4_filters). C4 removes lines from a
// page and then accepts or rejects the rest. The rules here do not edit texts. Instead, c4Sentences
// ignores the lines that C4 would remove.

var (
	loremIpsum = newPhrase("lorem ipsum", 'p')
	javascript = newPhrase("javascript", 'j')
	policy     = []phrase{
		newPhrase("terms of use", 'f'), newPhrase("privacy policy", 'v'), newPhrase("cookie policy", 'k'),
		newPhrase("uses cookies", 'k'), newPhrase("use of cookies", 'k'), newPhrase("use cookies", 'k'),
	}
	bannedByC4 = append(policy, javascript)
	// signsOfBanned is a shorter list than bannedByC4: a text that contains a phrase of bannedByC4
	// also contains one of signsOfBanned. So the text is first searched for these phrases.
	signsOfBanned = []phrase{policy[0], policy[1], newPhrase("cookie", 'k'), javascript}
)

// linesContaining returns the share of lines that contain any of the phrases. It searches the lines
// one by one only if the text as a whole contains a phrase.
func (t *Text) linesContaining(phrases ...phrase) float64 {
	if !containsAny(t.raw, phrases) {
		return t.linesWhere(func([]byte) bool { return false })
	}
	return t.linesWhere(func(b []byte) bool { return containsAny(b, phrases) })
}

// c4Sentences returns the number of sentences in the lines that C4 keeps. C4 keeps a line if it
// ends with a full stop, question mark, exclamation mark or quotation mark, but not with three
// dots. The line must also have at least three words, none longer than 1,000 characters, and
// contain neither "javascript" nor a policy phrase. If anyEnd is set, as in FineWeb's pipeline, a
// line may end with any character. A sentence ends at a full stop, question mark or exclamation
// mark before a space, a bracket or the end of the line, even if the full stop belongs to an
// abbreviation. c4Sentences ignores citations ([12], [edit], [citation needed]) at the end of a
// line.
func (t *Text) c4Sentences(anyEnd bool) float64 {
	n, banned := 0, containsAny(t.raw, signsOfBanned)
	for _, b := range t.split(lines) {
		if !enoughWords(b) || banned && containsAny(b, bannedByC4) {
			continue
		}
		trimmed := trimCitations(b)
		if anyEnd || hasAnySuffix(trimmed, ".", "?", "!", `"`, "'") && !bytes.HasSuffix(trimmed, []byte("...")) {
			n += sentences(trimmed)
		}
	}
	return float64(n)
}

// enoughWords reports whether a line has at least three words, none longer than 1,000 characters.
// Spaces and tabs separate words. After three words, it stops if the rest of the line has at most
// 1,000 bytes, and so cannot contain a longer word.
func enoughWords(b []byte) bool {
	const minWords, maxWord = 3, 1000
	words := 0
	for len(b) > 0 && (words < minWords || len(b) > maxWord) {
		n := min(indexFrom(b, 0, ' '), len(b))
		n = indexFrom(b[:n], 0, '\t')
		if n > 0 {
			words++
		}
		if n > maxWord && utf8.RuneCount(b[:n]) > maxWord {
			return false
		}
		b = b[min(n+1, len(b)):]
	}
	return words >= minWords
}

// trimCitations removes citations such as [12], [edit] and [citation needed] from the end of a
// line.
func trimCitations(b []byte) []byte {
	for len(b) > 0 && b[len(b)-1] == ']' {
		open := bytes.LastIndexByte(b, '[')
		if open < 0 {
			return b
		}
		in := b[open+1 : len(b)-1]
		if string(in) != "edit" && string(in) != "citation needed" && len(bytes.Trim(in, "0123456789")) > 0 {
			return b
		}
		b = b[:open]
	}
	return b
}

// sentences returns the number of sentence ends in a line, plus one if text follows the last end.
// It searches for ".", "?" and "!" instead of reading every byte.
func sentences(b []byte) (n int) {
	last, next := 0, [...]int{-1, -1, -1}
	for at := 0; ; at++ {
		for i := range next {
			if next[i] < at {
				next[i] = indexFrom(b, at, ".?!"[i])
			}
		}
		if at = min(next[0], next[1], next[2]); at >= len(b) {
			break
		}
		if at+1 == len(b) || b[at+1] == ' ' || b[at+1] == '[' {
			n, last = n+1, at+1
		}
	}
	if last < len(b) {
		n++
	}
	return n
}
