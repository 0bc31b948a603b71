// Package config reads the files that describe a pipeline, in YAML or TOML.
//
// The keys are those of fastdedup's files, and mean what they mean there;
// those marked below are doppel's own. A key that is not known, a value of the
// wrong kind or out of its range is an [Error] that names the line.
package config

// A Config is a pipeline. Its parts are nil where the file does not have them.
type Config struct {
	Input         Input         `yaml:"input" toml:"input"`
	Output        Output        `yaml:"output" toml:"output"`
	Deduplication Deduplication `yaml:"deduplication" toml:"deduplication"`
	Filters       Filters       `yaml:"filters" toml:"filters"`
	Language      *Language     `yaml:"language" toml:"language"` // for filters.language, in files of filters alone
	Quality       *Quality      `yaml:"quality" toml:"quality"`   // for filters.quality, likewise
}

// Input is what is read; the command line may say it instead.
type Input struct {
	Path   string `yaml:"path" toml:"path"`
	Format string `yaml:"format" toml:"format"` // jsonl or parquet; it is found by the content anyway
}

// Output is what is written; the command line may say it instead.
type Output struct {
	Path        string `yaml:"path" toml:"path"`
	Format      string `yaml:"format" toml:"format"`           // jsonl or parquet; "": that of the input
	Compression string `yaml:"compression" toml:"compression"` // none, gzip or zstd
}

// Deduplication has the two kinds.
type Deduplication struct {
	Exact *Exact `yaml:"exact" toml:"exact"`
	Fuzzy *Fuzzy `yaml:"fuzzy" toml:"fuzzy"`
}

// Exact removes records that are equal.
type Exact struct {
	Field     string `yaml:"field" toml:"field"`         // "": the whole record
	Normalize bool   `yaml:"normalize" toml:"normalize"` // compare in lower case, with single spaces
}

// Fuzzy removes records that are similar.
type Fuzzy struct {
	Threshold    float64 `yaml:"threshold" toml:"threshold"` // Jaccard similarity, 0 to 1
	Field        string  `yaml:"field" toml:"field"`
	NumHashes    int     `yaml:"num_hashes" toml:"num_hashes"`
	ShingleSize  int     `yaml:"shingle_size" toml:"shingle_size"`
	WordShingles bool    `yaml:"word_shingles" toml:"word_shingles"`
	Bands        int     `yaml:"bands" toml:"bands"`
	RowsPerBand  int     `yaml:"rows_per_band" toml:"rows_per_band"`
}

// Filters are what records must pass.
type Filters struct {
	Language *Language `yaml:"language" toml:"language"`
	Quality  *Quality  `yaml:"quality" toml:"quality"`
}

// Language says which languages pass.
type Language struct {
	Allowed    []string `yaml:"allowed_languages" toml:"allowed_languages"`
	Confidence *float64 `yaml:"confidence_threshold" toml:"confidence_threshold"`
	MinLength  *int     `yaml:"min_text_length" toml:"min_text_length"`
	Field      string   `yaml:"field" toml:"field"` // doppel's own; default text
}

// Quality changes the limits of a preset. What is not set is the preset's.
type Quality struct {
	Preset              string   `yaml:"preset" toml:"preset"` // doppel's own: names with commas between; default default
	Rules               []string `yaml:"rules" toml:"rules"`   // doppel's own
	Field               string   `yaml:"field" toml:"field"`   // doppel's own; default text
	MinLength           *float64 `yaml:"min_length" toml:"min_length"`
	MaxLength           *float64 `yaml:"max_length" toml:"max_length"`
	MinWordCount        *float64 `yaml:"min_word_count" toml:"min_word_count"`
	MaxWordCount        *float64 `yaml:"max_word_count" toml:"max_word_count"`
	MaxRepetitionRatio  *float64 `yaml:"max_repetition_ratio" toml:"max_repetition_ratio"`
	MinUniqueWordsRatio *float64 `yaml:"min_unique_words_ratio" toml:"min_unique_words_ratio"`
	MaxURLRatio         *float64 `yaml:"max_url_ratio" toml:"max_url_ratio"`
	MaxSpecialCharRatio *float64 `yaml:"max_special_char_ratio" toml:"max_special_char_ratio"`
	MinAvgWordLength    *float64 `yaml:"min_avg_word_length" toml:"min_avg_word_length"`
	RejectHTML          *bool    `yaml:"reject_html" toml:"reject_html"`
	FilterProfanity     *bool    `yaml:"filter_profanity" toml:"filter_profanity"`
}
