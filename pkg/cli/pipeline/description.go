package pipeline

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"doppel/pkg/cli/pipeline/config"
	"doppel/pkg/dedup"
	"doppel/pkg/flagset"
	"doppel/pkg/msg"
	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	"doppel/pkg/stage/recfilter"
	"doppel/pkg/stage/recuniq"
	"doppel/pkg/text"
	"doppel/pkg/tool/flags"
)

// A description holds the parsed file: the steps, and the options of their stages.
type description struct {
	input, output string
	format        [2]string // formats of the input and the output, as named in the pipeline file
	compression   string    // compression of the output, as named in the pipeline file
	form          string    // form of the output, as in the flag --to of the stage that writes the output

	exact, fuzzy, language, quality bool // which sections are present

	unique         recuniq.Options
	near           dedup.Near
	languageFilter recfilter.Options // options for the language filter
	qualityFilter  recfilter.Options // options for the quality filter
}

// inherit copies the shared flags of the command to all stages. It sets CSV if an input is a CSV
// or TSV file, because later stages read from pipes and cannot see the file's name. Later stages
// read UTF-8, whatever the encoding of the input.
func (d *description) inherit(c *flags.Common, operands []string) {
	table := dataform.KindNamed(d.format[0]).Table
	for _, name := range operands {
		if below, err := record.FilesOf(name); err == nil && len(below) > 0 {
			name = below[0]
		}
		table = table || dataform.KindOf(name).Table
	}
	for _, to := range []*flags.Common{&d.unique.Common, &d.languageFilter.Common, &d.qualityFilter.Common, &d.near.Common} {
		to.Jobs, to.KeepGoing, to.Tree = c.Jobs, c.KeepGoing, c.Tree
		to.Records.Dialect, to.Records.MaxRecord = c.Records.Dialect, c.Records.MaxRecord
		to.Records.CSV, to.Records.Encoding = c.Records.CSV || table, ""
	}
	first := d.firstReader()
	first.Encoding, first.Expect = c.Records.Encoding, c.Records.Expect
}

// firstReader returns the options with which the inputs are read.
func (d *description) firstReader() *record.Options {
	switch {
	case d.exact:
		return &d.unique.Records
	case d.language:
		return &d.languageFilter.Records
	case d.quality:
		return &d.qualityFilter.Records
	}
	return &d.near.Records
}

func (d *description) parse(name string, data []byte) error {
	f, err := config.Parse(name, data)
	if err != nil {
		return err
	}
	outside := []string{"language", "quality"} // sections that may appear outside the section filters
	for _, section := range outside {
		_, bare := f.Find(section)
		if within, ok := f.Find("filters." + section); ok && bare {
			return wrong(f, section, "also set as filters.%s, at line %d", section, within.Line)
		}
	}
	f = f.Within("filters", outside...)
	if err := f.Set(d.keys()); err != nil {
		return err
	}
	_, d.exact = f.Find("deduplication.exact")
	_, d.fuzzy = f.Find("deduplication.fuzzy")
	_, d.language = f.Find("filters.language")
	_, d.quality = f.Find("filters.quality")
	return d.check(f)
}

// wrong returns an error about a key, with its line number.
func wrong(f *config.File, key, format string, args ...any) *config.Error {
	at, _ := f.Find(key)
	return &config.Error{Name: f.Name, Line: at.Line, Msg: key + ": " + fmt.Sprintf(format, args...)}
}

func (d *description) check(f *config.File) error {
	if !d.exact && !d.fuzzy && !d.language && !d.quality {
		e := wrong(f, "deduplication", "want a step to run")
		e.Hint = "set exact or fuzzy, or set filters"
		return e
	}
	if d.form = cmp.Or(d.compression, d.format[1]); d.compression != "" && dataform.KindNamed(d.format[1]).Columns {
		return wrong(f, "output.compression", "Parquet is compressed internally: want no compression")
	}
	if _, err := dataform.Of(d.output, d.form); err != nil {
		return wrong(f, "output.path", "%v", err)
	}
	for _, s := range []struct {
		key     string
		there   bool
		options interface{ Check() error }
	}{
		{"deduplication.exact", d.exact, &d.unique}, {"deduplication.fuzzy", d.fuzzy, &d.near},
		{"filters.language", d.language, &d.languageFilter}, {"filters.quality", d.quality, &d.qualityFilter},
	} {
		if err := s.options.Check(); s.there && err != nil {
			return wrong(f, s.key, "%v", err)
		}
	}
	return nil
}

// filters returns the options of the filter stages. The language and quality filters form a single
// stage, unless they read different fields.
func (d *description) filters() (all []recfilter.Options) {
	switch {
	case d.language && d.quality && slices.Equal(d.languageFilter.Records.Fields, d.qualityFilter.Records.Fields):
		both := d.languageFilter
		both.Quality = d.qualityFilter.Quality
		return []recfilter.Options{both}
	case d.language && d.quality:
		return []recfilter.Options{d.languageFilter, d.qualityFilter}
	case d.language:
		return []recfilter.Options{d.languageFilter}
	case d.quality:
		return []recfilter.Options{d.qualityFilter}
	}
	return nil
}

var (
	formats      = []string{"jsonl", "parquet", "csv", "tsv"}
	compressions = []string{"", "gz", "zst"}
)

// keys returns the valid keys of a file. In a section, the name of each flag of the section's stage
// is a valid key, with underscores instead of hyphens. Some keys also have the name that fastdedup
// gives them in its configuration files.
func (d *description) keys() config.Keys {
	k := config.Keys{"input": nil, "output": nil, "deduplication": nil, "filters": nil,
		"input.path":         anyWord(&d.input),
		"output.path":        anyWord(&d.output),
		"input.format":       oneOf(func(i int) { d.format[0] = formats[i] }, formats...),
		"output.format":      oneOf(func(i int) { d.format[1] = formats[i] }, formats...),
		"output.compression": oneOf(func(i int) { d.compression = compressions[i] }, "none", "gzip", "zstd"),
	}
	section(k, "deduplication.exact", &d.unique)
	section(k, "deduplication.fuzzy", &d.near)
	section(k, "filters.language", &d.languageFilter.Language, flags.Part{Common: &d.languageFilter.Common, Shared: flags.Records})
	section(k, "filters.quality", &d.qualityFilter.Quality, flags.Part{Common: &d.qualityFilter.Common, Shared: flags.Records})
	fuzzy, language, quality := "deduplication.fuzzy.", "filters.language.", "filters.quality."
	k[fuzzy+"num_hashes"] = k[fuzzy+"slots"]
	k[fuzzy+"rows_per_band"] = k[fuzzy+"rows"]
	k[language+"allowed_languages"] = k[language+"languages"]
	k[language+"confidence_threshold"] = k[language+"confidence"]
	k[quality+"rules"] = k[quality+"rule"]
	// This is the default of fastdedup. It is used if the file sets shingle_size or word_shingles.
	shingle := text.Shingling{Unit: text.Chars, N: 3}
	set := func() error { return k[fuzzy+"shingle"]([]string{shingle.String()}) }
	k[fuzzy+"shingle_size"] = func(v []string) error {
		n, err := strconv.Atoi(v[0])
		if err != nil || n < 1 {
			return fmt.Errorf("invalid number %q: want 1 or more", v[0])
		}
		shingle.N = n
		return set()
	}
	k[fuzzy+"word_shingles"] = oneOf(func(i int) { shingle.Unit = []text.Unit{text.Chars, text.Words}[i]; set() }, "false", "true")
	how := k["deduplication.exact.normalize"]
	k["deduplication.exact.normalize"] = func(v []string) error {
		switch v[0] {
		case "true":
			return how([]string{text.Conservative.String()})
		case "false":
			return how([]string{text.None.String()})
		}
		return how(v)
	}
	return k
}

// notKeys lists the flags that a file cannot set, because the pipeline sets them itself or because
// they must have the same value for all stages.
var notKeys = []string{"output", "tree", "stats", "print", "dry-run", "verbose", "progress", "no-progress", "no-sync", "manifest", "finished", "jobs", "keep-going",
	"id", "lines", "csv", "separator", "quote", "encoding", "no-partitions", "max-record", "expect", "with-filename", "removed", "save", "count", "duplicates", "only-against", "scores", "decisions",
	"groups", "annotate", "ids", "split", "least", "report", "by"}

// section adds a section to k: its name, and a key for each flag of its stage.
func section(k config.Keys, name string, parts ...flagset.Flagged) {
	k[name] = nil
	for _, o := range parts {
		fs := pflag.NewFlagSet("", pflag.ContinueOnError)
		o.Flags(fs)
		fs.VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && !slices.Contains(notKeys, f.Name) {
				k[name+"."+strings.ReplaceAll(f.Name, "-", "_")] = func(values []string) error {
					for _, v := range values {
						if err := flagset.Set(f, v); err != nil {
							return err
						}
					}
					return nil
				}
			}
		})
	}
}

// A setter stores the values of a key.
type setter = func(values []string) error

// anyWord returns a setter that stores any string except "" in *to.
func anyWord(to *string) setter {
	return func(v []string) error {
		if v[0] == "" {
			return errors.New("empty: want a name")
		}
		*to = v[0]
		return nil
	}
}

// oneOf returns a setter that accepts only the given words, and calls set with the index of the
// word.
func oneOf(set func(int), words ...string) setter {
	return func(v []string) error {
		n := slices.Index(words, v[0])
		if n < 0 {
			return fmt.Errorf("invalid value %q: want %s", v[0], msg.Or(words))
		}
		set(n)
		return nil
	}
}
