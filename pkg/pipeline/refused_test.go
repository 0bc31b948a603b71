package pipeline_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"doppel/pkg/front"
	"doppel/pkg/tool"
)

// doppel runs a command in this process: a command that is rejected, or only prints its chain,
// starts no other process.
func doppel(args ...string) (stdout, stderr string, status int) {
	var out, errs bytes.Buffer
	status = front.Run(tool.Std{Program: "doppel", Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs})
	return out.String(), errs.String(), status
}

// TestRefused checks that every chain rejects invalid options before it reads any input, and
// explains why.
func TestRefused(t *testing.T) {
	for args, want := range map[string]string{
		"fuzzy -t 2 a":                                  "--threshold 2: want more than 0 and at most 1",
		"fuzzy --slots 0 a":                             "0 slots",
		"fuzzy --stats xml a":                           `--stats "xml": want text, json or none`,
		"fuzzy --print=xml a":                           "want sh, json, make or parallel",
		"fuzzy --only-against a":                        "--only-against needs --against",
		"fuzzy --against - a":                           "--against - is read more than once: want a file",
		"fuzzy --scores s --against b a":                "--scores and --against exclude each other",
		"fuzzy --scores /dev/stdout a":                  "--scores /dev/stdout is read again: want a file",
		"fuzzy --scores s.csv.gz a":                     "",
		"fuzzy --decisions /dev/stdout a":               "--decisions /dev/stdout is read again: want a file",
		"exact --decisions /dev/stdout a":               "--decisions /dev/stdout is read again: want a file",
		"exact --decisions d --count a":                 "--decisions excludes --count",
		"passages --decisions /dev/stdout a":            "--decisions /dev/stdout is read again: want a file",
		"passages --decisions d --annotate a":           "--annotate removes nothing: --removed, --decisions, --report and --dry-run go without it",
		"fuzzy --decisions d.parquet a":                 "d.parquet",
		"fuzzy --groups g.parquet a":                    "g.parquet",
		"fuzzy --save s.parquet a":                      "s.parquet",
		"fuzzy --removed r.parquet a":                   "r.parquet",
		"fuzzy --ids --annotate a":                      "--ids writes no records",
		"fuzzy --ids --split lines a":                   "--ids writes no records",
		"fuzzy --ids -o x.parquet a":                    "--output x.parquet: lines of ids are no Parquet",
		"fuzzy --annotate --removed r a":                "--annotate removes nothing",
		"fuzzy - -":                                     "standard input is named twice",
		"cut a":                                         "want --scores FILE",
		"cut --scores s --scores t.parquet a":           "both Parquet files and others",
		"exact --save s.parquet a":                      "s.parquet",
		"exact --removed r.parquet a":                   "r.parquet",
		"exact --removed r --count a":                   "--removed excludes --count",
		"exact --report r --count a":                    "--report excludes --count",
		"exact --by x a":                                "--by needs --report",
		"exact --to xml a":                              "xml",
		"passages --length 0 a":                         "--length: length 0 is not between 1 and 65536",
		"passages --removed r.parquet a":                "r.parquet",
		"passages --annotate --dry-run a":               "--annotate removes nothing",
		"passages --annotate --to csv a":                "--annotate writes decisions",
		"passages --json a":                             "they go with --annotate",
		"passages --csv a":                              "--csv needs --annotate: nothing can be cut out of CSV",
		"passages --counts a":                           "it goes with --annotate",
		"passages --field a --field b a":                "passages are cut out of one field",
		"passages --field m[].c a":                      "--field m[].c leads into an array",
		"fuzzy --split lines --field m[0].c a":          "--split: --field m[0].c leads into an array",
		"exact --id m[0].c --save s a":                  "--id m[0].c: an id cannot be taken out of an array",
		"passages --by x a":                             "--by needs --report",
		"shared -0 dir":                                 "-0 applies only to names on standard input",
		"shared --window w9":                            "want a number of bytes",
		"text -n 0 list":                                "--n-gram-size 0: want 1 or more",
		"text -b 65 list":                               "65 bits",
		"text -e --header a b":                          "--header: with --alike nothing is written",
		"text -e a":                                     "-e: want two texts, not 1",
		"pipeline a":                                    "want a file that describes the pipeline",
		"filter --by x a":                               "--by needs --report",
		"filter --report r -c no.yaml a":                "no.yaml: no such file",
		"groups -t 2 a":                                 "--threshold 2",
		"fuzzy --print=make a":                          "needs --parts",
		"fuzzy --parts=3 a":                             "--parts goes with --print",
		"passages --print=make a":                       "needs --parts, which doppel fuzzy, exact and passages have",
		"fuzzy --print=make --parts=-1 a":               "--parts -1: want 1 to 1000",
		"fuzzy --print=make --parts=2":                  "want the names of shards",
		"fuzzy --print=make --parts=2 b a":              "b comes before a: ids have another order",
		"fuzzy --print=make --parts=2 a-1 a":            "",
		"fuzzy --print=make --parts=2 a a":              "what is kept of both would have one name",
		"fuzzy --print=make --parts=2 x/a y/a":          "what is kept of both would have one name",
		"fuzzy --print=make --parts=2 a:b":              "\"a:b\": make takes no such name",
		"fuzzy --print=make --parts=2 x=y.jsonl":        "\"x=y.jsonl\": make takes no such name",
		"fuzzy --print=make --parts=2 ./-n.jsonl":       "\"./-n.jsonl\": make takes no such name",
		"fuzzy --print=make --parts=2 größe.jsonl":      "\"größe.jsonl\": make takes no such name",
		"fuzzy --print=make --parts=2 50%.jsonl":        "\"50%.jsonl\": make takes no such name",
		"fuzzy --print=make --parts=2 kept":             "kept: a target of the makefile has this name",
		"exact --print=make --parts=2 ./pairs":          "./pairs: a target of the makefile has this name",
		"fuzzy --print=make --parts=2 kept/a":           "kept/a: the makefile writes to this directory",
		"fuzzy --print=make --parts=2 doppel.work/x/a":  "doppel.work/x/a: the makefile writes to this directory",
		"fuzzy --print=make --parts=2 x/../y.jsonl":     "x/../y.jsonl: make takes no .. behind a directory",
		"fuzzy --print=make --parts=2 x/..":             "x/..: a directory is no shard",
		"fuzzy --print=make --parts=2 ./b a":            "./b comes before a: ids have another order",
		"fuzzy -k --print=make --parts=2 a":             "a target with trouble is not made",
		"fuzzy -k --print=json --parts=2 a":             "",
		"fuzzy --print=parallel --parts=2 -o x a":       "are of one process",
		"fuzzy --save s --print=make --parts=2 a":       "are of one process",
		"fuzzy --ids --print=make --parts=2 a":          "are of one process",
		"exact --count --print=parallel --parts=2 a":    "are of one process",
		"exact -k --print=make --parts=2 a":             "a target with trouble is not made",
		"passages --annotate --print=make --parts=2 a":  "are of one process",
		"passages --against b --print=make --parts=2 a": "are of one process",
		"passages -k --print=make --parts=2 a":          "a target with trouble is not made",
		"passages --print=json --parts=2 a":             "is of doppel fuzzy and doppel exact",
	} {
		fields := strings.Fields(args)
		if want == "" && !strings.Contains(args, "--print") {
			fields = append(fields, "--print") // the file does not exist
		}
		out, errs, status := doppel(fields...)
		if (status == tool.ExitOK) != (want == "") || !strings.Contains(errs, want) || want != "" && out != "" {
			t.Errorf("doppel %s: %d, %q, %.60q, want %q", args, status, errs, out, want)
		}
	}
}

// TestDescriptionRefused checks that errors in a file name the line.
func TestDescriptionRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	for text, want := range map[string]string{
		"deduplication: {exact: {}}\noutput: {format: xml}":                                            `c.yaml:2: output.format: "xml" is none of jsonl, parquet, csv, tsv`,
		"deduplication: {exact: {}}\noutput: {format: parquet, compression: gzip}":                     "c.yaml:2: output.compression: a Parquet file is compressed in itself",
		"deduplication: {exact: {}}\noutput:\n  path: x.csv\n  compression: gzip":                      "",
		"deduplication: {exact: {normalize: true, field: text}}":                                       "",
		"deduplication: {exact: {normalize: false}}":                                                   "",
		"deduplication: {exact: {normalize: maybe}}":                                                   "c.yaml:1: deduplication.exact.normalize: ",
		"deduplication:\n  fuzzy:\n    shingle_size: 0":                                                `c.yaml:3: deduplication.fuzzy.shingle_size: "0" is no number above 0`,
		"deduplication:\n  fuzzy:\n    word_shingles: yes":                                             `c.yaml:3: deduplication.fuzzy.word_shingles: "yes" is none of false, true`,
		"deduplication:\n  fuzzy: {threshold: 80%}":                                                    `c.yaml:2: deduplication.fuzzy.threshold: "80%": want a number`,
		"deduplication:\n  fuzzy: {threshold: 2}":                                                      "c.yaml:2: deduplication.fuzzy: --threshold 2: want",
		"deduplication:\n  fuzzy: {output: x}":                                                         `c.yaml:2: unknown key "output"`,
		"filters: {quality: {}}\nquality: {min_length: 1}":                                             "c.yaml:2: quality: filters.quality is set as well, at line 1",
		"quality: {min_length: 1}":                                                                     "",
		"filters:\n  quality: {preset: none-such}":                                                     "c.yaml:2: filters.quality",
		"filters: {quality: {field: a}, language: {field: b}}\noutput: {path: x.arrow, format: jsonl}": "",
		"filters: {quality: {}}\noutput: {path: x.arrow}":                                              "x.arrow",
	} {
		if err := os.WriteFile("c.yaml", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, errs, status := doppel("pipeline", "--print", "-c", "c.yaml", "a")
		if (status == tool.ExitOK) != (want == "") || !strings.Contains(errs, want) {
			t.Errorf("%s: %d, %q, want %q", text, status, errs, want)
		}
	}
}
