package quality

// A Metric is a measure with the name that rules and columns know it by.
type Metric struct {
	Name    string
	Measure func(*Text) float64
	Kind    Kind
}

// A Kind says what a metric's numbers are.
type Kind uint8

const (
	Ratio Kind = iota // of any size; most are 0 to 1
	Count             // whole numbers
)

// Metrics are all metrics, in the order of the columns that --score prints.
var Metrics = []Metric{
	{"length", length, Count},
	{"word_count", wordCount, Count},
	{"repetition_ratio", repetitionRatio, Ratio},
	{"unique_words_ratio", uniqueWordsRatio, Ratio},
	{"url_ratio", urlRatio, Ratio},
	{"special_char_ratio", specialCharRatio, Ratio},
	{"avg_word_length", avgWordLength, Ratio},
	{"html_tags", htmlTags, Count},
	{"profane_words", profaneWordCount, Count},
	{"hash_word_ratio", hashWordRatio, Ratio},
	{"ellipsis_word_ratio", ellipsisWordRatio, Ratio},
	{"bullet_lines_ratio", bulletLinesRatio, Ratio},
	{"ellipsis_lines_ratio", ellipsisLinesRatio, Ratio},
	{"alpha_words_ratio", alphaWordsRatio, Ratio},
	{"stop_words", stopWordCount, Count},
	{"dup_line_fraction", dupFraction(lines), Ratio},
	{"dup_paragraph_fraction", dupFraction(paragraphs), Ratio},
	{"dup_line_char_fraction", dupCharFraction(lines), Ratio},
	{"dup_paragraph_char_fraction", dupCharFraction(paragraphs), Ratio},
	{"top_2gram_char_fraction", topGramCharFraction(2), Ratio},
	{"top_3gram_char_fraction", topGramCharFraction(3), Ratio},
	{"top_4gram_char_fraction", topGramCharFraction(4), Ratio},
	{"dup_5gram_char_fraction", dupGramCharFraction(5), Ratio},
	{"dup_6gram_char_fraction", dupGramCharFraction(6), Ratio},
	{"dup_7gram_char_fraction", dupGramCharFraction(7), Ratio},
	{"dup_8gram_char_fraction", dupGramCharFraction(8), Ratio},
	{"dup_9gram_char_fraction", dupGramCharFraction(9), Ratio},
	{"dup_10gram_char_fraction", dupGramCharFraction(10), Ratio},
	{"lorem_ipsum", loremIpsumCount, Count},
	{"curly_brackets", curlyBrackets, Count},
	{"javascript_lines_ratio", javascriptLinesRatio, Ratio},
	{"policy_lines_ratio", policyLinesRatio, Ratio},
	{"c4_sentences", c4Sentences, Count},
	{"c4_sentences_any_end", c4SentencesAnyEnd, Count},
	{"line_punct_ratio", linePunctRatio, Ratio},
	{"short_line_ratio", shortLineRatio, Ratio},
	{"char_dup_ratio", charDupRatio, Ratio},
	{"list_ratio", listRatio, Ratio},
}

// lookUp returns the metric of that name.
func lookUp(name string) (Metric, bool) {
	for _, m := range Metrics {
		if m.Name == name {
			return m, true
		}
	}
	return Metric{}, false
}
