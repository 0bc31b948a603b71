package config

import (
	"fmt"
	"slices"
	"strings"

	"doppel/pkg/language"
	"doppel/pkg/quality"
)

// A valueError is about the value of one key.
type valueError struct {
	path, msg, hint string
}

func (e *valueError) Error() string { return e.path + ": " + e.msg }

// check looks at every value, and whether the whole does anything.
func (c *Config) check() error {
	if c.Deduplication == (Deduplication{}) && c.Filters == (Filters{}) {
		return &valueError{"deduplication", "nothing is to be done", "give it exact or fuzzy, or give filters"}
	}
	for _, err := range []error{
		oneOf("input.format", c.Input.Format, "jsonl", "parquet"),
		oneOf("output.format", c.Output.Format, "jsonl", "parquet"),
		oneOf("output.compression", c.Output.Compression, "none", "gzip", "zstd"),
		c.checkFormats(),
		c.Deduplication.Exact.check(), c.Deduplication.Fuzzy.check(), c.Filters.Language.check(), c.Filters.Quality.check(),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

// checkFormats refuses a conversion: the steps of a pipeline write records as
// they came.
func (c *Config) checkFormats() error {
	in := c.Input.Format
	if in == "" && strings.HasSuffix(c.Input.Path, ".parquet") {
		in = "parquet"
	}
	switch {
	case c.Output.Format != "" && in != "" && c.Output.Format != in:
		return &valueError{"output.format", fmt.Sprintf("records come as %s, and leave as they came", in), "convert them with reccat"}
	case c.Output.Format == "parquet" || in == "parquet":
		if c.Output.Compression == "gzip" || c.Output.Compression == "zstd" {
			return &valueError{path: "output.compression", msg: "a Parquet file is compressed in itself"}
		}
	}
	return nil
}

func oneOf(path, value string, allowed ...string) error {
	if value == "" || slices.Contains(allowed, value) {
		return nil
	}
	return &valueError{path: path, msg: fmt.Sprintf("%q is none of %s", value, strings.Join(allowed, ", "))}
}

func (x *Exact) check() error {
	if x != nil && x.Normalize && x.Field == "" {
		return &valueError{"deduplication.exact.normalize", "only the text of a field can be normalised", "set deduplication.exact.field"}
	}
	return nil
}

func (f *Fuzzy) check() error {
	switch {
	case f == nil:
		return nil
	case f.Threshold < 0 || f.Threshold > 1:
		return &valueError{path: "deduplication.fuzzy.threshold", msg: fmt.Sprintf("%v is not within 0 and 1", f.Threshold)}
	}
	for _, n := range []struct {
		key   string
		value int
	}{{"num_hashes", f.NumHashes}, {"shingle_size", f.ShingleSize}, {"bands", f.Bands}, {"rows_per_band", f.RowsPerBand}} {
		if n.value < 0 {
			return &valueError{path: "deduplication.fuzzy." + n.key, msg: fmt.Sprintf("%d is negative", n.value)}
		}
	}
	return nil
}

func (l *Language) check() error {
	const path = "filters.language."
	switch {
	case l == nil:
		return nil
	case l.Confidence != nil && (*l.Confidence < 0 || *l.Confidence > 1):
		return &valueError{path: path + "confidence_threshold", msg: fmt.Sprintf("%v is not within 0 and 1", *l.Confidence)}
	case l.MinLength != nil && *l.MinLength < 0:
		return &valueError{path: path + "min_text_length", msg: fmt.Sprintf("%d is negative", *l.MinLength)}
	}
	for _, name := range l.Allowed {
		if _, err := language.Parse(name); err != nil {
			return &valueError{path + "allowed_languages", err.Error(), "recfilter(1) lists the languages"}
		}
	}
	return nil
}

func (q *Quality) check() error {
	if q == nil {
		return nil
	}
	for name := range strings.SplitSeq(q.Preset, ",") {
		if name == "" {
			continue
		}
		if _, err := quality.FindPreset(name); err != nil {
			return &valueError{path: "filters.quality.preset", msg: err.Error()}
		}
	}
	for _, rule := range q.Rules {
		if _, err := quality.ParseRule(rule); err != nil {
			return &valueError{"filters.quality.rules", err.Error(), "recfilter(1) lists the metrics"}
		}
	}
	return nil
}
