//go:build linux

package main

// steps is a file for doppel pipeline with all three steps.
const steps = `deduplication:
  exact:
    field: text
    normalize: true
  fuzzy:
    threshold: 0.8
    field: text
filters:
  quality:
    min_word_count: 5
    rules: ["stop_words<0"]
`

// stepsTOML are the same steps.
const stepsTOML = `[deduplication.exact]
field = "text"
normalize = true

[deduplication.fuzzy]
threshold = 0.8
field = "text"

[filters.quality]
min_word_count = 5
rules = ["stop_words<0"]
`

// filtersTOML and allFilters have more of what there is to set.
const (
	filtersTOML = `[input]
format = "jsonl"

[filters.language]
allowed_languages = ["eng", "code"]
confidence_threshold = 0.1
min_text_length = 5000

[filters.quality]
min_length = 10
max_length = 100000
min_word_count = 5
max_repetition_ratio = 0.9
reject_html = false
min_avg_word_length = 1.5
`
	allFilters = `# a comment
filters:
  language:
    allowed_languages: [eng, spa, "fra", 'deu']
    confidence_threshold: 0.1
    min_text_length: 5000
  quality:
    preset: lenient
    max_repetition_ratio: 0.9
    max_url_ratio: 0.5
    rules:
      - stop_words<0
`
)
