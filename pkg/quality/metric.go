package quality

import (
	"bytes"
	"unicode/utf8"
)

// A Metric measures one property of a text. Rules and column headings use its Name.
type Metric struct {
	Name    string
	Kind    Kind
	Measure func(*Text) float64
}

// A Kind is the type of the numbers that a metric returns.
type Kind uint8

const (
	Ratio Kind = iota // real numbers, most of them from 0 to 1
	Count             // whole numbers
)

// Metrics lists all metrics, in the order of the columns that --score prints.
//
// "Gopher" below refers to Rae et al., "Scaling language models: methods, analysis & insights from
// training Gopher", 2021 (arXiv 2112.11446), section A.1.1 and table A1. Where the paper is silent,
// the code that FineWeb ran decides (datatrove: gopher_quality_filter, gopher_repetition_filter).
// The paper does not define words, and that code counts punctuation as separate words. The metrics
// here use the definition in the package comment. In that code, the characters of repeated n-grams
// are fewer than in the paper, because it skips n words after each repetition.
//
// "FineWeb" refers to Penedo et al., "The FineWeb datasets: decanting the web for the finest text
// data at scale", 2024 (arXiv 2406.17557), section 3.6, and the code used there (datatrove:
// fineweb_quality_filter), which has list_ratio in addition, and .01 for the paper's .1 as the limit
// of char_dup_ratio.
var Metrics = []Metric{
	// The number of characters. (The program fastdedup counts bytes.)
	{"length", Count, func(t *Text) float64 { return float64(t.length()) }},
	{"word_count", Count, func(t *Text) float64 { return float64(t.count()) }},
	// The share of 3-grams and 4-grams of words that repeat an earlier one; 0 for a text of
	// fewer than five words.
	{"repetition_ratio", Ratio, func(t *Text) float64 {
		n := t.count()
		if n < 5 {
			return 0
		}
		return ratio(t.repeated(3)+t.repeated(4), n-2+n-3)
	}},
	// The number of distinct words over the number of words.
	{"unique_words_ratio", Ratio, func(t *Text) float64 {
		t.seen.reset(t.count())
		unique := 0
		for i := range t.words {
			if t.seen.add(t.words[i].hash) == 1 {
				unique++
			}
		}
		return ratio(unique, len(t.words))
	}},
	{"url_ratio", Ratio, urlRatio},
	// The share of characters that are not letters, marks, numbers or white space. (fastdedup
	// divides characters by bytes, so its ratio is lower for texts with few ASCII characters. It
	// also counts as special the vowel sign at the end of a Hindi syllable.)
	{"special_char_ratio", Ratio, func(t *Text) float64 {
		all := t.length()
		return ratio(t.special, all)
	}},
	// The mean length of the words in characters, excluding words in scripts without spaces; NaN if
	// no words are left. (fastdedup counts bytes.)
	{"avg_word_length", Ratio, func(t *Text) float64 {
		chars, words := 0, 0
		t.scan()
		for i := range t.words {
			if !t.words[i].lone {
				chars += t.charsOf(i, i+1)
				words++
			}
		}
		return ratio(chars, words)
	}},
	{"html_tags", Count, htmlTags},
	{"profane_words", Count, func(t *Text) float64 { return t.wordsIn(profanity()) }},

	// Gopher: the number of "#" characters over the number of words.
	{"hash_word_ratio", Ratio, func(t *Text) float64 {
		return ratio(bytes.Count(t.raw, []byte("#")), t.count())
	}},
	// Gopher: the number of ellipses, written as three dots or as one character, over the number of
	// words.
	{"ellipsis_word_ratio", Ratio, func(t *Text) float64 {
		return ratio(bytes.Count(t.raw, []byte("..."))+bytes.Count(t.raw, []byte("…")), t.count())
	}},
	// Gopher: the share of lines that start with a bullet: "•", "‣" or "◦", or "-" or "*" followed
	// by a space.
	{"bullet_lines_ratio", Ratio, func(t *Text) float64 {
		return t.linesWhere(func(b []byte) bool {
			return bytes.HasPrefix(b, []byte("•")) || bytes.HasPrefix(b, []byte("‣")) || bytes.HasPrefix(b, []byte("◦")) ||
				bytes.HasPrefix(b, []byte("- ")) || bytes.HasPrefix(b, []byte("* "))
		})
	}},
	// Gopher: the share of lines that end with an ellipsis, written as three dots or as one
	// character.
	{"ellipsis_lines_ratio", Ratio, func(t *Text) float64 {
		return t.linesWhere(func(b []byte) bool { return hasAnySuffix(b, "...", "…") })
	}},
	// Gopher: the share of words with at least one letter.
	{"alpha_words_ratio", Ratio, func(t *Text) float64 {
		n := 0
		t.scan()
		for _, w := range t.words {
			if w.lone || hasLetter(t.bytesOf(w)) {
				n++
			}
		}
		return ratio(n, len(t.words))
	}},
	// Gopher: the number of stop words, counting repeats.
	{"stop_words", Count, func(t *Text) float64 { return t.wordsIn(stopWords()) }},
	{"dup_line_fraction", Ratio, dupFraction(lines)},
	{"dup_paragraph_fraction", Ratio, dupFraction(paragraphs)},
	{"dup_line_char_fraction", Ratio, dupCharFraction(lines)},
	{"dup_paragraph_char_fraction", Ratio, dupCharFraction(paragraphs)},
	{"top_2gram_char_fraction", Ratio, topGramCharFraction(2)},
	{"top_3gram_char_fraction", Ratio, topGramCharFraction(3)},
	{"top_4gram_char_fraction", Ratio, topGramCharFraction(4)},
	{"dup_5gram_char_fraction", Ratio, dupGramCharFraction(5)},
	{"dup_6gram_char_fraction", Ratio, dupGramCharFraction(6)},
	{"dup_7gram_char_fraction", Ratio, dupGramCharFraction(7)},
	{"dup_8gram_char_fraction", Ratio, dupGramCharFraction(8)},
	{"dup_9gram_char_fraction", Ratio, dupGramCharFraction(9)},
	{"dup_10gram_char_fraction", Ratio, dupGramCharFraction(10)},

	// The metrics of C4, described in c4.go.
	{"lorem_ipsum", Count, func(t *Text) float64 { return float64(loremIpsum.count(t.raw)) }},
	{"curly_brackets", Count, func(t *Text) float64 { return float64(bytes.Count(t.raw, []byte("{"))) }},
	{"javascript_lines_ratio", Ratio, func(t *Text) float64 { return t.linesContaining(javascript) }},
	{"policy_lines_ratio", Ratio, func(t *Text) float64 { return t.linesContaining(policy...) }},
	{"c4_sentences", Count, func(t *Text) float64 { return t.c4Sentences(false) }},
	{"c4_sentences_any_end", Count, func(t *Text) float64 { return t.c4Sentences(true) }},

	// FineWeb: the share of lines that end with a full stop, exclamation mark, question mark,
	// ellipsis or quotation mark, or with the equivalent in another script.
	{"line_punct_ratio", Ratio, func(t *Text) float64 {
		return t.linesWhere(func(b []byte) bool { return hasAnySuffix(b, terminal...) })
	}},
	// FineWeb: the share of lines of at most 30 characters.
	{"short_line_ratio", Ratio, func(t *Text) float64 {
		return t.linesWhere(func(b []byte) bool { return isShort(b, 30) })
	}},
	// FineWeb: the share of the characters other than LF that are in repeated lines.
	{"char_dup_ratio", Ratio, func(t *Text) float64 {
		_, chars, _ := t.repeatedLines(lines)
		return ratio(chars, t.length()-bytes.Count(t.raw, []byte{'\n'}))
	}},
	// FineWeb: the number of line feeds over the number of words.
	{"list_ratio", Ratio, func(t *Text) float64 { return ratio(bytes.Count(t.raw, []byte{'\n'}), t.count()) }},
}

var terminal = []string{
	".", "!", "?", `"`, "'", "…", "”", "’", "»", "。", "！", "？", "」", "』", "।", "॥", "؟", "۔", "።", "։", "។",
}

func lookUp(name string) (Metric, bool) {
	for _, m := range Metrics {
		if m.Name == name {
			return m, true
		}
	}
	return Metric{}, false
}

// ratio returns a/b. It is NaN if both are 0.
func ratio(a, b int) float64 { return float64(a) / float64(b) }

// dupFraction returns a metric from the Gopher paper: the share of lines, or paragraphs, that
// repeat an earlier one.
func dupFraction(p pieces) func(*Text) float64 {
	return func(t *Text) float64 {
		n, _, all := t.repeatedLines(p)
		return ratio(n, all)
	}
}

// dupCharFraction returns a metric from the Gopher paper: the share of characters in lines, or
// paragraphs, that repeat an earlier one.
func dupCharFraction(p pieces) func(*Text) float64 {
	return func(t *Text) float64 {
		_, chars, _ := t.repeatedLines(p)
		return ratio(chars, t.length())
	}
}

// topGramCharFraction returns a metric from the Gopher paper: the number of characters in all
// occurrences of the most frequent n-gram of words, counting one space between words, over the
// total number of characters. It is 0 if no n-gram occurs twice.
func topGramCharFraction(n int) func(*Text) float64 {
	return func(t *Text) float64 { return ratio(t.topChars(n), t.length()) }
}

// dupGramCharFraction returns a metric from the Gopher paper: the number of characters in the words
// of repeated n-grams, each word counted once, over the total number of characters.
func dupGramCharFraction(n int) func(*Text) float64 {
	return func(t *Text) float64 { return ratio(t.dupChars(n), t.length()) }
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

// htmlTags returns the number of HTML tags. A tag begins with "<" and a letter, with "</" and a
// letter, with "<!" or with "<?", and it has a ">" before the next "<". So "a < b and c > d" has no
// tag. (fastdedup counts every "<" that is followed anywhere by a ">".)
func htmlTags(t *Text) float64 {
	tags := 0
	for b := t.raw; ; {
		i := bytes.IndexByte(b, '<')
		if i < 0 {
			return float64(tags)
		}
		b = b[i+1:]
		start := bytes.TrimPrefix(b, []byte("/"))
		if len(start) == 0 || !isASCIILetter(start[0]) && b[0] != '!' && b[0] != '?' {
			continue
		}
		end := indexFrom(b, 0, '<')
		if bytes.IndexByte(b[:end], '>') >= 0 {
			tags++
		}
	}
}

func isASCIILetter(c byte) bool {
	c |= 0x20
	return 'a' <= c && c <= 'z'
}
