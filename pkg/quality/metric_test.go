package quality

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

func measure(m func(*Text) float64, s string) float64 {
	var t Text
	t.Set([]byte(s))
	return m(&t)
}

// TestMetrics compares the metrics with values computed by hand from the definitions.
func TestMetrics(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		metric string
		text   string
		want   float64
	}{
		{"length", "", 0},
		{"length", "l’été", 5},
		{"length", "中文。", 3},
		{"length", "a\xffb", 3},

		{"word_count", "It isn't — so!", 3},
		{"word_count", "Где ты?", 2},
		{"word_count", "中文 ok。", 3},
		{"word_count", "ไทย", 3},
		{"word_count", "한국어 문장", 2},
		{"word_count", "-- … --", 0},

		// The 3-grams are abc, bca, cab and abc; the 4-grams are abca, bcab and cabc. Of these
		// seven n-grams, only the second abc is a repeat.
		{"repetition_ratio", "a b c a b c", 1.0 / 7},
		{"repetition_ratio", "A, b; c? a b — C!", 1.0 / 7},
		{"repetition_ratio", "x x x x", 0},              // fewer than five words
		{"repetition_ratio", "да да да да да", 3.0 / 5}, // three of the five n-grams are repeats
		{"repetition_ratio", "one two three four five", 0},

		{"unique_words_ratio", "the cat saw The dog", 4.0 / 5},
		{"unique_words_ratio", "été ÉTÉ Été hiver", 2.0 / 4},
		{"unique_words_ratio", "", nan},

		{"url_ratio", "see http://a.b now", 10.0 / 18},
		{"url_ratio", "voilà example.org, été", 11.0 / 22},
		{"url_ratio", "http://пример.рф!", 16.0 / 17},
		{"url_ratio", "nothing here.", 0},
		{"url_ratio", "", nan},

		{"special_char_ratio", "a-b!", 2.0 / 4},
		{"special_char_ratio", "été, 42", 1.0 / 7},
		{"special_char_ratio", "हिन्दी", 0}, // letters and marks
		{"special_char_ratio", "中。", 1.0 / 2},

		{"avg_word_length", "(To be, or not)", 9.0 / 4},
		{"avg_word_length", "été d'or", 7.0 / 2},
		{"avg_word_length", "中文 ab", 2},
		{"avg_word_length", "中文", nan},

		{"html_tags", "<p>Hi<br/> there</p>", 3},
		{"html_tags", "<!DOCTYPE html><?xml ?>", 2},
		{"html_tags", "if a < b and c > d, 1<2, <3 <b", 0},
		{"html_tags", "<a <b>", 1},
		{"html_tags", "<é>", 0},

		{"profane_words", "What bullshit, SHIT!", 2},
		{"profane_words", "Scunthorpe, a classic assessment", 0},

		{"hash_word_ratio", "#one two # three", 2.0 / 3},
		{"ellipsis_word_ratio", "wait... well… then", 2.0 / 3},
		{"bullet_lines_ratio", "• un\n\n  - deux\n* trois\n-quatre", 3.0 / 4},
		{"ellipsis_lines_ratio", "more...  \nencore…\n\nend.\n", 2.0 / 3},
		{"alpha_words_ratio", "1984 was 2x 42 день", 3.0 / 5},
		{"stop_words", "The cat, with THE hat. Other", 3},
		{"stop_words", "le chat et le chapeau", 0},

		{"dup_line_fraction", "a\nb\n a\r\n\na", 2.0 / 4},
		{"dup_line_fraction", "", nan},
		{"dup_line_char_fraction", "été\nb\nété\n", 3.0 / 10},
		{"dup_paragraph_fraction", "a\nb\n\nc\n \na\nb\n", 1.0 / 3},
		{"dup_paragraph_char_fraction", "ab\n\nab", 2.0 / 6},
		{"dup_paragraph_fraction", "\n\na\n\n\n\na\n\n", 1.0 / 2},

		{"top_2gram_char_fraction", "ab cd ab cd e", 2 * 5 / 13.0},
		{"top_2gram_char_fraction", "ab cd ef", 0},
		{"top_3gram_char_fraction", "é é é é", 2 * 5 / 7.0},
		{"top_4gram_char_fraction", "a b c d. A b c d.", 2 * 7 / 17.0},
		{"dup_5gram_char_fraction", "a b c d e a b c d e", 5.0 / 19},
		{"dup_5gram_char_fraction", "a b c d e f a b c d g", 0},
		{"dup_6gram_char_fraction", strings.TrimSpace(strings.Repeat("ж ", 12)), 11.0 / 23}, // all words except the first are in a 6-gram that repeats the first one
		{"dup_5gram_char_fraction", "1 2 3 4 5 6 7 8 1 2 3 4 5 6 7 8", 8.0 / 31},
		{"dup_10gram_char_fraction", "1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0", 10.0 / 39},

		{"lorem_ipsum", "Lorem ipsum dolor; LOREM IPSUM", 2},
		{"lorem_ipsum", "ipsum lorem", 0},
		{"curly_brackets", "a { b } {", 2},
		{"javascript_lines_ratio", "Enable JavaScript.\njava script\n", 1.0 / 2},
		{"policy_lines_ratio", "Our Privacy Policy\nWe use cookies\nI bake cookies", 2.0 / 3},

		{"c4_sentences", "One two three. Four five? Six", 0}, // the line has no final punctuation
		{"c4_sentences", "One two three. Four five? Six!", 3},
		{"c4_sentences", "One two three [1][edit].[citation needed]", 1},
		{"c4_sentences", "One two three.[1] And four.", 2},
		{"c4_sentences", "Is it? Yes ... it is.", 3}, // the three dots end a sentence
		{"c4_sentences", "Too short.\nWe use cookies here.\nAnd so on...\nThis one counts.", 1},
		{"c4_sentences", "He said \"stop it now.\"", 1},
		{"c4_sentences", "a b " + strings.Repeat("é", 1000) + ".", 0},
		{"c4_sentences", "a b " + strings.Repeat("é", 999) + ".", 1},
		{"c4_sentences", strings.Repeat("e", 1001) + " a b.\na\tb c.", 1},
		{"c4_sentences_any_end", "a b " + strings.Repeat("漢", 1000), 1},
		{"c4_sentences_any_end", "a b " + strings.Repeat("漢", 1001), 0},
		{"c4_sentences_any_end", "One two three. Four five? Six\nun deux trois", 4},

		{"line_punct_ratio", "Fini.\nNon\n中文。\n\nहाँ।", 3.0 / 4},
		{"short_line_ratio", strings.Repeat("é", 30) + "\n" + strings.Repeat("é", 31), 1.0 / 2},
		{"char_dup_ratio", "ab\nab\n", 2.0 / 4},
		{"list_ratio", "a b\nc\nd\n", 3.0 / 4},
		{"list_ratio", "", nan},
	} {
		m, ok := lookUp(c.metric)
		if !ok {
			t.Fatalf("no metric %q", c.metric)
		}
		got := measure(m.Measure, c.text)
		if got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("%s of %q = %v, want %v", c.metric, c.text, got, c.want)
		}
	}
}

// TestMetricNames checks that no two metrics have the same name.
func TestMetricNames(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range Metrics {
		if seen[m.Name] {
			t.Errorf("two metrics %q", m.Name)
		}
		seen[m.Name] = true
	}
}

func FuzzPhrase(f *testing.F) {
	f.Add("Lorem IPSUM javaJavaScript use of use cookies terms of use")
	f.Fuzz(func(t *testing.T, s string) {
		b := []byte(s)
		folded := bytes.Map(func(r rune) rune {
			if 'A' <= r && r <= 'Z' {
				r |= 0x20
			}
			return r
		}, b)
		for _, p := range append([]phrase{loremIpsum, javascript}, policy...) {
			if got, want := p.count(b), bytes.Count(folded, []byte(p.text)); got != want {
				t.Errorf("%q is %d times in %q, want %d", p.text, got, s, want)
			}
		}
	})
}

func FuzzLower8(f *testing.F) {
	f.Add([]byte("AZaz@[`{\x80\xff0_"))
	f.Fuzz(func(t *testing.T, b []byte) {
		low := make([]byte, len(b))
		for i, c := range b {
			low[i] = lowerASCII(c)
		}
		if hashLower(b) != hashLower(low) {
			t.Errorf("%q and %q have two hashes", b, low)
		}
		if len(b) > 0 {
			low[len(b)/2] ^= 1 // the texts now differ in more than case
			if hashLower(b) == hashLower(low) {
				t.Errorf("%q and %q have one hash", b, low)
			}
		}
	})
}
