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
	{"length", Length, Count},
	{"word_count", WordCount, Count},
	{"repetition_ratio", RepetitionRatio, Ratio},
	{"unique_words_ratio", UniqueWordsRatio, Ratio},
	{"url_ratio", URLRatio, Ratio},
	{"special_char_ratio", SpecialCharRatio, Ratio},
	{"avg_word_length", AvgWordLength, Ratio},
	{"html_tags", HTMLTags, Count},
	{"profane_words", ProfaneWords, Count},
	{"hash_word_ratio", HashWordRatio, Ratio},
	{"ellipsis_word_ratio", EllipsisWordRatio, Ratio},
	{"bullet_lines_ratio", BulletLinesRatio, Ratio},
	{"ellipsis_lines_ratio", EllipsisLinesRatio, Ratio},
	{"alpha_words_ratio", AlphaWordsRatio, Ratio},
	{"stop_words", StopWords, Count},
	{"dup_line_fraction", DupLineFraction, Ratio},
	{"dup_paragraph_fraction", DupParagraphFraction, Ratio},
	{"dup_line_char_fraction", DupLineCharFraction, Ratio},
	{"dup_paragraph_char_fraction", DupParagraphCharFraction, Ratio},
	{"top_2gram_char_fraction", TopGramCharFraction(2), Ratio},
	{"top_3gram_char_fraction", TopGramCharFraction(3), Ratio},
	{"top_4gram_char_fraction", TopGramCharFraction(4), Ratio},
	{"dup_5gram_char_fraction", DupGramCharFraction(5), Ratio},
	{"dup_6gram_char_fraction", DupGramCharFraction(6), Ratio},
	{"dup_7gram_char_fraction", DupGramCharFraction(7), Ratio},
	{"dup_8gram_char_fraction", DupGramCharFraction(8), Ratio},
	{"dup_9gram_char_fraction", DupGramCharFraction(9), Ratio},
	{"dup_10gram_char_fraction", DupGramCharFraction(10), Ratio},
	{"lorem_ipsum", LoremIpsum, Count},
	{"curly_brackets", CurlyBrackets, Count},
	{"javascript_lines_ratio", JavascriptLinesRatio, Ratio},
	{"policy_lines_ratio", PolicyLinesRatio, Ratio},
	{"c4_sentences", C4Sentences, Count},
	{"c4_sentences_any_end", C4SentencesAnyEnd, Count},
	{"line_punct_ratio", LinePunctRatio, Ratio},
	{"short_line_ratio", ShortLineRatio, Ratio},
	{"char_dup_ratio", CharDupRatio, Ratio},
	{"list_ratio", ListRatio, Ratio},
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
