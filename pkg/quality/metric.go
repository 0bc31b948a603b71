package quality

// A Metric is a measure with the name that rules and columns know it by.
type Metric struct {
	Name    string
	Measure func(*Text) float64
}

// Metrics are all metrics, in the order of the columns that --score prints.
var Metrics = []Metric{
	{"length", Length},
	{"word_count", WordCount},
	{"repetition_ratio", RepetitionRatio},
	{"unique_words_ratio", UniqueWordsRatio},
	{"url_ratio", URLRatio},
	{"special_char_ratio", SpecialCharRatio},
	{"avg_word_length", AvgWordLength},
	{"html_tags", HTMLTags},
	{"profane_words", ProfaneWords},
	{"hash_word_ratio", HashWordRatio},
	{"ellipsis_word_ratio", EllipsisWordRatio},
	{"bullet_lines_ratio", BulletLinesRatio},
	{"ellipsis_lines_ratio", EllipsisLinesRatio},
	{"alpha_words_ratio", AlphaWordsRatio},
	{"stop_words", StopWords},
	{"dup_line_fraction", DupLineFraction},
	{"dup_paragraph_fraction", DupParagraphFraction},
	{"dup_line_char_fraction", DupLineCharFraction},
	{"dup_paragraph_char_fraction", DupParagraphCharFraction},
	{"top_2gram_char_fraction", TopGramCharFraction(2)},
	{"top_3gram_char_fraction", TopGramCharFraction(3)},
	{"top_4gram_char_fraction", TopGramCharFraction(4)},
	{"dup_5gram_char_fraction", DupGramCharFraction(5)},
	{"dup_6gram_char_fraction", DupGramCharFraction(6)},
	{"dup_7gram_char_fraction", DupGramCharFraction(7)},
	{"dup_8gram_char_fraction", DupGramCharFraction(8)},
	{"dup_9gram_char_fraction", DupGramCharFraction(9)},
	{"dup_10gram_char_fraction", DupGramCharFraction(10)},
	{"lorem_ipsum", LoremIpsum},
	{"curly_brackets", CurlyBrackets},
	{"javascript_lines_ratio", JavascriptLinesRatio},
	{"policy_lines_ratio", PolicyLinesRatio},
	{"c4_sentences", C4Sentences},
	{"c4_sentences_any_end", C4SentencesAnyEnd},
	{"line_punct_ratio", LinePunctRatio},
	{"short_line_ratio", ShortLineRatio},
	{"char_dup_ratio", CharDupRatio},
	{"list_ratio", ListRatio},
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
