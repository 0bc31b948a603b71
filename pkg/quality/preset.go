package quality

import (
	"fmt"
	"slices"
	"strings"

	"doppel/pkg/msg"
)

// A Preset is a named list of rules.
type Preset struct {
	Name  string
	Rules Rules
}

// Presets lists all presets: first those of the program fastdedup, then those of the papers cited
// in metric.go and c4.go. "fineweb" checks the rules in the order of FineWeb's pipeline.
var Presets = []Preset{
	{"default", rules(`length<50 length>100000 word_count<10 word_count>10000 repetition_ratio>0.3
		unique_words_ratio<0.3 url_ratio>0.1 special_char_ratio>0.3 avg_word_length<2.5 html_tags>0`)},
	{"strict", rules(`length<100 length>50000 word_count<20 word_count>5000 repetition_ratio>0.2
		unique_words_ratio<0.5 url_ratio>0.05 special_char_ratio>0.2 avg_word_length<3 html_tags>0 profane_words>0`)},
	{"lenient", rules(`length<20 length>200000 word_count<5 word_count>20000 repetition_ratio>0.5
		unique_words_ratio<0.2 url_ratio>0.2 special_char_ratio>0.4 avg_word_length<2`)},
	{"gopher-repetition", rules(gopherRepetition)},
	{"gopher-quality", rules(gopherQuality)},
	{"gopher", rules(gopherRepetition + gopherQuality)},
	{"c4", rules(c4Page + `c4_sentences<5`)},
	{"fineweb-quality", rules(fineweb)},
	{"fineweb", rules(gopherRepetition + gopherQuality + c4Page + `c4_sentences_any_end<5 ` + fineweb)},
}

const (
	gopherRepetition = `dup_paragraph_fraction>0.3 dup_paragraph_char_fraction>0.2
		dup_line_fraction>0.3 dup_line_char_fraction>0.2
		top_2gram_char_fraction>0.2 top_3gram_char_fraction>0.18 top_4gram_char_fraction>0.16
		dup_5gram_char_fraction>0.15 dup_6gram_char_fraction>0.14 dup_7gram_char_fraction>0.13
		dup_8gram_char_fraction>0.12 dup_9gram_char_fraction>0.11 dup_10gram_char_fraction>0.1 `
	gopherQuality = `word_count<50 word_count>100000 avg_word_length<3 avg_word_length>10
		hash_word_ratio>0.1 ellipsis_word_ratio>0.1 bullet_lines_ratio>0.9 ellipsis_lines_ratio>0.3
		alpha_words_ratio<0.8 stop_words<2 `
	c4Page  = `lorem_ipsum>0 curly_brackets>0 `
	fineweb = `line_punct_ratio<=0.12 short_line_ratio>=0.67 char_dup_ratio>=0.01 list_ratio>0.3 `
)

func rules(list string) (rs Rules) {
	for s := range strings.FieldsSeq(list) {
		r, err := ParseRule(s)
		if err != nil {
			panic(err)
		}
		rs = append(rs, r)
	}
	return rs
}

// FindPreset returns a copy of the named preset's rules, or an error that lists the presets.
func FindPreset(name string) (Rules, error) {
	var names []string
	for _, p := range Presets {
		if p.Name == name {
			return slices.Clone(p.Rules), nil
		}
		names = append(names, p.Name)
	}
	return nil, fmt.Errorf("invalid preset %q: want %s", name, msg.Or(names))
}
