package dedup_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"doppel/pkg/cli"
	"doppel/pkg/tool"
)

// doppel runs a command in this process. The tests use only commands that are rejected or that
// print their chain; such commands start no other process.
func doppel(args ...string) (stdout, stderr string, status int) {
	var out, errs bytes.Buffer
	status = cli.Run(tool.Std{Program: "doppel", Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs})
	return out.String(), errs.String(), status
}

// TestRefused checks that every chain rejects invalid options before it reads any input, and
// explains why.
func TestRefused(t *testing.T) {
	for args, want := range map[string]string{
		"fuzzy -t 2 a":                                  "--threshold 2: want more than 0 and at most 1",
		"fuzzy --slots 0 a":                             "--slots 0: want",
		"fuzzy --stats xml a":                           `--stats "xml": want text, json or none`,
		"fuzzy --print=xml a":                           "want sh, json, make or parallel",
		"fuzzy --only-against a":                        "--only-against needs --against",
		"fuzzy --against - a":                           "--against -: want a file, because it is read more than once",
		"fuzzy --scores s --against b a":                "--scores and --against cannot be used together",
		"fuzzy --scores /dev/stdout a":                  "--scores /dev/stdout: want a file, because a later stage reads it",
		"fuzzy --scores s.csv.gz a":                     "s.csv.gz: lines cannot be written as CSV",
		"fuzzy --decisions /dev/stdout a":               "--decisions /dev/stdout: want a file, because a later stage reads it",
		"exact --decisions /dev/stdout a":               "--decisions /dev/stdout: want a file, because a later stage reads it",
		"exact --decisions d --count a":                 "--decisions cannot be used with --count",
		"passages --decisions /dev/stdout a":            "--decisions /dev/stdout: want a file, because a later stage reads it",
		"passages --decisions d --annotate a":           "--annotate removes nothing, so it cannot be used with --removed, --decisions, --report or --dry-run",
		"fuzzy --decisions d.parquet a":                 "d.parquet",
		"fuzzy --groups g.parquet a":                    "g.parquet",
		"fuzzy --save s.parquet a":                      "s.parquet",
		"fuzzy --removed r.parquet a":                   "r.parquet",
		"fuzzy --ids --annotate a":                      "--ids writes no records",
		"fuzzy --ids --split lines a":                   "--ids writes no records",
		"fuzzy --ids -o x.parquet a":                    "--output x.parquet: ids cannot be written as Parquet",
		"fuzzy --annotate --removed r a":                "--annotate removes nothing",
		"fuzzy - -":                                     "standard input is named twice",
		"cut a":                                         "want --run MANIFEST",
		"cut --scores s --scores t.parquet a":           "--scores: both Parquet and other files: all files must have the same format",
		"exact --save s.parquet a":                      "s.parquet",
		"exact --removed r.parquet a":                   "r.parquet",
		"exact --removed r --count a":                   "--removed cannot be used with --count",
		"exact --report r --count a":                    "--report cannot be used with --count",
		"exact --by x a":                                "--by needs --report",
		"exact --to xml a":                              "xml",
		"passages --length 0 a":                         "--length: length 0: want 1 to 65536",
		"passages --removed r.parquet a":                "r.parquet",
		"passages --annotate --dry-run a":               "--annotate removes nothing",
		"passages --annotate --to csv a":                "--annotate writes decisions",
		"passages --json a":                             "--json and --header need --annotate, which writes decisions",
		"passages --csv a":                              "--csv needs --annotate: passages cannot be cut from CSV",
		"passages --counts a":                           "--counts needs --annotate, which writes decisions",
		"passages --field a --field b a":                "passages can be cut only from one field",
		"passages --field m[].c a":                      "--field m[].c leads into an array",
		"fuzzy --split lines --field m[0].c a":          "--field m[0].c leads into an array: --split needs a path to one string",
		"exact --id m[0].c --save s a":                  "--id m[0].c leads into an array: want a path to one value",
		"passages --by x a":                             "--by needs --report",
		"shared -0 dir":                                 "-0 applies only to names on standard input",
		"shared --window w9":                            "want a number of bytes",
		"text -n 0 list":                                "--n-gram-size 0: want 1 or more",
		"text -b 65 list":                               "--bits 65: want",
		"text -e --header a b":                          "--alike writes nothing, so it cannot be used with --header",
		"text -e a":                                     "-e: want two texts, not 1",
		"pipeline a":                                    "--config FILE is required; FILE must describe the pipeline",
		"filter --by x a":                               "--by needs --report",
		"filter --report r -c no.yaml a":                "no.yaml: no such file",
		"groups -t 2 a":                                 "--threshold 2",
		"fuzzy --print=make a":                          "needs --parts",
		"fuzzy --parts=3 a":                             "--parts needs --print",
		"passages --print=make a":                       "needs --parts, a flag of doppel fuzzy, exact and passages",
		"fuzzy --print=make --parts=-1 a":               "--parts -1: want 1 to 1000",
		"fuzzy --print=make --parts=2":                  "want the names of shards",
		"fuzzy --print=make --parts=2 b a":              "b: must come after a, in the order of the ids",
		"fuzzy --print=make --parts=2 a-1 a":            "",
		"fuzzy --print=make --parts=2 a a":              "the results would have the same name",
		"fuzzy --print=make --parts=2 x/a y/a":          "the results would have the same name",
		"fuzzy --print=make --parts=2 --tree ../x/a":    "would lead out of the directory of results",
		"exact --print=make --parts=2 --tree /x/a":      "would lead out of the directory of results",
		"fuzzy --print=make --parts=2 verify":           "already the name of a target",
		"fuzzy --print=make --parts=2 --to zst a":       "--to applies only to a run in one process, not in parts",
		"exact --print=parallel --parts=2 --to zst a":   "--to applies only to a run in one process, not in parts",
		"passages --print=sh --tree a":                  "--tree does nothing without -o DIR/",
		"fuzzy --print=make --parts=2 a:b":              "invalid shard name \"a:b\": unsafe in a makefile",
		"fuzzy --print=make --parts=2 =y.jsonl":         "invalid shard name \"=y.jsonl\": unsafe in a makefile",
		"fuzzy --print=make --parts=2 ./-n.jsonl":       "invalid shard name \"./-n.jsonl\": unsafe in a makefile",
		"fuzzy --print=make --parts=2 größe.jsonl":      "invalid shard name \"größe.jsonl\": unsafe in a makefile",
		"fuzzy --print=make --parts=2 50%.jsonl":        "invalid shard name \"50%.jsonl\": unsafe in a makefile",
		"fuzzy --print=make --parts=2 kept":             "kept: already the name of a target of the makefile",
		"exact --print=make --parts=2 ./pairs":          "./pairs: already the name of a target of the makefile",
		"fuzzy --print=make --parts=2 kept/a":           "kept/a: the makefile writes to this directory",
		"fuzzy --print=make --parts=2 doppel.work/x/a":  "doppel.work/x/a: the makefile writes to this directory",
		"fuzzy --print=make --parts=2 x/../y.jsonl":     "x/../y.jsonl: make cannot handle .. after a directory",
		"fuzzy --print=make --parts=2 x/..":             "x/..: a directory, not a shard",
		"fuzzy --print=make --parts=2 ./b a":            "./b: must come after a, in the order of the ids",
		"fuzzy -k --print=make --parts=2 a":             "-k applies only to a run in one process, not in parts: make treats a target with a bad record as failed",
		"fuzzy -k --print=json --parts=2 a":             "",
		"fuzzy --print=parallel --parts=2 -o x a":       "applies only to a run in one process, not in parts",
		"fuzzy --save s --print=make --parts=2 a":       "applies only to a run in one process, not in parts",
		"fuzzy --ids --print=make --parts=2 a":          "applies only to a run in one process, not in parts",
		"exact --count --print=parallel --parts=2 a":    "applies only to a run in one process, not in parts",
		"exact -k --print=make --parts=2 a":             "-k applies only to a run in one process, not in parts: make treats a target with a bad record as failed",
		"passages --annotate --print=make --parts=2 a":  "applies only to a run in one process, not in parts",
		"passages --against b --print=make --parts=2 a": "applies only to a run in one process, not in parts",
		"passages -k --print=make --parts=2 a":          "-k applies only to a run in one process, not in parts: make treats a target with a bad record as failed",
		"passages --print=json --parts=2 a":             "applies only to doppel fuzzy and doppel exact",
	} {
		fields := strings.Fields(args)
		if want == "" && !strings.Contains(args, "--print") {
			fields = append(fields, "--print") // only print the plan, because the input file does not exist
		}
		out, errs, status := doppel(fields...)
		if (status == tool.ExitOK) != (want == "") || !strings.Contains(errs, want) || want != "" && out != "" {
			t.Errorf("doppel %s: %d, %q, %.60q, want %q", args, status, errs, out, want)
		}
	}
}

// TestDescriptionRefused checks that an error in a pipeline file names the line at fault.
func TestDescriptionRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	for text, want := range map[string]string{
		"deduplication: {exact: {}}\noutput: {format: xml}":                                            `c.yaml:2: output.format: invalid value "xml": want jsonl, parquet, csv or tsv`,
		"deduplication: {exact: {}}\noutput: {format: parquet, compression: gzip}":                     "c.yaml:2: output.compression: Parquet is compressed internally: want no compression",
		"deduplication: {exact: {}}\noutput:\n  path: x.csv\n  compression: gzip":                      "",
		"deduplication: {exact: {normalize: true, field: text}}":                                       "",
		"deduplication: {exact: {normalize: false}}":                                                   "",
		"deduplication: {exact: {normalize: maybe}}":                                                   "c.yaml:1: deduplication.exact.normalize: ",
		"deduplication:\n  fuzzy:\n    shingle_size: 0":                                                `c.yaml:3: deduplication.fuzzy.shingle_size: invalid number "0": want 1 or more`,
		"deduplication:\n  fuzzy:\n    word_shingles: yes":                                             `c.yaml:3: deduplication.fuzzy.word_shingles: invalid value "yes": want false or true`,
		"deduplication:\n  fuzzy: {threshold: 80%}":                                                    `c.yaml:2: deduplication.fuzzy.threshold: "80%": want a number`,
		"deduplication:\n  fuzzy: {threshold: 2}":                                                      "c.yaml:2: deduplication.fuzzy: --threshold 2: want",
		"deduplication:\n  fuzzy: {output: x}":                                                         `c.yaml:2: unknown key "output"`,
		"filters: {quality: {}}\nquality: {min_length: 1}":                                             "c.yaml:2: quality: also set as filters.quality, at line 1",
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
