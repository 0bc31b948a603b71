package cmd_test

import (
	"os"
	"os/exec"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestWorstMessages checks the messages for the most common mistakes: each must name the
// mistake, its place, and a remedy.
func TestWorstMessages(t *testing.T) {
	for command, want := range map[string]string{
		"doppel fuzzy none.jsonl":                                                            "doppel fuzzy: none.jsonl: no such file or directory\n",
		"recsign none.jsonl":                                                                 "recsign: none.jsonl: no such file or directory\n",
		"doppel exact -t 0.8 articles.jsonl":                                                 "doppel exact: unknown shorthand flag: 't' in -t\ndoppel exact: hint: try 'doppel exact --help'\n",
		"doppel overlap --dry-run --test README articles.jsonl":                              "doppel overlap: unknown flag: --dry-run\ndoppel overlap: hint: try 'doppel overlap --help'\n",
		"fuzzysum 60%":                                                                       "fuzzysum: 60%: no such file or directory\n",
		"doppel dedup articles.jsonl":                                                        "doppel: unknown command \"dedup\"\ndoppel: hint: did you mean doppel exact, or doppel fuzzy for near-duplicates?\n",
		"doppel version":                                                                     "doppel: unknown command \"version\"\ndoppel: hint: did you mean doppel --version?\n",
		"doppel articles.jsonl":                                                              "doppel: unknown command \"articles.jsonl\"\ndoppel: hint: name a command before the file, as in: doppel exact articles.jsonl\n",
		"doppel count s3://b/a.jsonl":                                                        "doppel count: s3://b/a.jsonl: no such file or directory\ndoppel count: hint: addresses are not opened; pipe the data to the operand -, as in: curl -sL ADDRESS | doppel count -\n",
		"echo '127.0.0.1 - x' | recsign":                                                     "recsign: <stdin>:1: invalid JSON: unexpected '.' at byte 6\nrecsign: hint: want one JSON object per line; --csv reads CSV or TSV with a header, --lines reads each line as a text\n",
		"echo '- item' | recsign":                                                            "recsign: <stdin>:1: invalid JSON: unexpected ' ' at byte 2\nrecsign: hint: want one JSON object per line; --csv reads CSV or TSV with a header, --lines reads each line as a text\n",
		"echo true | recsign":                                                                "recsign: <stdin>:1: no field \"text\"\nrecsign: hint: the record has no fields; --lines reads each line as a text\n",
		"doppel fuzy articles.jsonl":                                                         "doppel: unknown command \"fuzy\"\ndoppel: hint: did you mean doppel fuzzy?\n",
		"doppel fuzzy --treshold 0.9 articles.jsonl":                                         "doppel fuzzy: unknown flag: --treshold\ndoppel fuzzy: hint: did you mean --threshold?\n",
		"doppel fuzzy -t 80 articles.jsonl":                                                  "doppel fuzzy: --threshold 80: want more than 0 and at most 1\ndoppel fuzzy: hint: try 'doppel fuzzy --help'\n",
		"doppel exact --field txt articles.jsonl":                                            "doppel exact: articles.jsonl:1: no field \"txt\"\ndoppel exact: hint: the fields are \"id\", \"text\", \"length\"; choose one with --field\n",
		`echo '{"m":{"to":"a","body":"b"}}' | recsign`:                                       "recsign: <stdin>:1: no field \"text\"\nrecsign: hint: the fields are \"m.to\", \"m.body\"; choose one with --field\n",
		`echo '{"m":{"to":"a","body":"b"}}' | recsign --field m`:                             "recsign: <stdin>:1: field \"m\" is an object, not a string\nrecsign: hint: the field contains \"to\", \"body\"; give a longer path, such as m.to\n",
		"reccat -o x.parquet articles.jsonl; dupgroup x.parquet":                             "dupgroup: x.parquet:1: the file is Parquet, not lines\ndupgroup: hint: convert the input: reccat --to jsonl x.parquet |\n",
		`echo '{"m":[{"text":[]}]}' | recsign --field 'm[0].text'`:                           "recsign: <stdin>:1: field \"m[0].text\" is an array, not a string\n",
		`echo '{"m":["a"]}' | recsign --field 'm[].text'`:                                    "recsign: <stdin>:1: field \"m[].text\" leads into a string, not an object\n",
		`echo '{"m":{"text":"a"}}' | recsign --field 'm[].text'`:                             "recsign: <stdin>:1: field \"m[].text\" leads into an object, not an array\n",
		`echo '{"m":[{"text":"a"}]}' | recsign --field m.text`:                               "recsign: <stdin>:1: no field \"m.text\"\nrecsign: hint: the fields are \"m[].text\"; choose one with --field\n",
		`echo '{"m":[{"text":"a"}]}' | recsign --field m`:                                    "recsign: <stdin>:1: field \"m\" is an array, not a string\nrecsign: hint: the field contains \"[].text\"; give a longer path, such as m[].text\n",
		`echo '{"m":1}' | recsign --field m.text`:                                            "recsign: <stdin>:1: no field \"m.text\": \"m\" is not an object\nrecsign: hint: the fields are \"m\"; choose one with --field\n",
		"doppel fuzzy --ids -o ids.parquet articles.jsonl":                                   "doppel fuzzy: --output ids.parquet: ids cannot be written as Parquet\ndoppel fuzzy: hint: try 'doppel fuzzy --help'\n",
		"doppel fuzzy --keep longest articles.jsonl":                                         "doppel fuzzy: --keep \"longest\": want best or none; --rank sets which record is the best\ndoppel fuzzy: hint: try 'doppel fuzzy --help'\n",
		"doppel files --dry-run .":                                                           "doppel files: unknown flag: --dry-run\ndoppel files: hint: without --yes, the command only shows what it would do\n",
		"doppel fuzzy 60% articles.jsonl":                                                    "doppel fuzzy: 60%: no such file or directory\ndoppel fuzzy: hint: 60% was read as a file name; write a number after its option, as in --threshold 0.6\n",
		"doppel fuzzy -F body articles.jsonl":                                                "doppel fuzzy: unknown shorthand flag: 'F' in -F\ndoppel fuzzy: hint: the equivalent is --field PATH\n",
		"doppel exact -n articles.jsonl":                                                     "doppel exact: unknown shorthand flag: 'n' in -n\ndoppel exact: hint: the equivalent is --normalize conservative, in doppel exact\n",
		"doppel exact --json articles.jsonl":                                                 "doppel exact: unknown flag: --json\ndoppel exact: hint: the equivalent is --stats json, in doppel fuzzy, doppel exact and doppel passages\n",
		"doppel text test/1.txt":                                                             "doppel text: test/1.txt: only one text: want two or more\ndoppel text: hint: to read a list of names from standard input: doppel text < test/1.txt\n",
		"doppel shared --window w8 .":                                                        "doppel shared: --window w8: want a number of bytes\ndoppel shared: hint: try 'doppel shared --help'\n",
		"matchsub -j":                                                                        "matchsub: flag needs an argument: 'j' in -j\nmatchsub: hint: -j N sets the number of threads; --json writes objects\n",
		"doppel exact --against README articles.jsonl":                                       "doppel exact: README: not a file of hashes\ndoppel exact: hint: --against reads files written by --save or recsign -m exact; to write one from old data, run doppel exact --save SUMS FILE > /dev/null\n",
		"doppel fuzzy --removed x.csv articles.jsonl":                                        "doppel fuzzy: x.csv: lines cannot be written as CSV\ndoppel fuzzy: hint: choose another name, such as .jsonl\n",
		`echo '{"m":["a"]}' | reccat --to parquet -o l.parquet; recsign --field m l.parquet`: "recsign: l.parquet: field \"m\" is an array, not a string\nrecsign: hint: the field contains \"[]\"; give a longer path, such as m[]\n",
		"recsign README":                                                                     "recsign: README:1: invalid JSON: unexpected 'a' at byte 1\nrecsign: hint: want one JSON object per line; --csv reads CSV or TSV with a header, --lines reads each line as a text\n",
		"echo '[1]' | recsign":                                                               "recsign: <stdin>: a JSON array of values that are not objects\nrecsign: hint: want objects; convert the input: jq -c '.[]'\n",
		"lshpairs articles.jsonl":                                                            "lshpairs: articles.jsonl:1: want the columns id scheme signature, found 1 of 3\nlshpairs: hint: recsign writes signatures of records, as in: recsign FILE | lshpairs\n",
		"doppel fuzzy -o articles.jsonl < /dev/null":                                         "doppel fuzzy: standard input is /dev/null or closed: want an operand\ndoppel fuzzy: hint: name the files to read, or write the operand - to read /dev/null as an empty input\n",
		"doppel exact --field text --against '' articles.jsonl":                              "doppel exact: --against is empty: want FILE\ndoppel exact: hint: try 'doppel exact --help'\n",
		"doppel exact -o '' articles.jsonl":                                                  "doppel exact: -o is empty: want FILE\ndoppel exact: hint: try 'doppel exact --help'\n",
		"doppel exact --output= articles.jsonl":                                              "doppel exact: --output is empty: want FILE\ndoppel exact: hint: try 'doppel exact --help'\n",
		"doppel mail --into - box":                                                           "doppel mail: --into -: want a directory, such as ./-\ndoppel mail: hint: try 'doppel mail --help'\n",
		"doppel text test":                                                                   "doppel text: test: a directory: want files\ndoppel text: hint: to compare the files in it: find -H test -type f | doppel text\n",
		"fuzzysum --files test/1.txt":                                                        "fuzzysum: --files reads names from standard input, so it cannot be used with --mbox or operands\nfuzzysum: hint: operands are files to sum, without --files\n",
		"reccat ''":                                                                          "reccat: an operand is empty: want a name\nreccat: hint: try 'reccat --help'\n",
		"dupgroup --rank newest --records articles.jsonl - </dev/null":                       "dupgroup: articles.jsonl: no record has the field \"newest\"\ndupgroup: hint: the fields are \"id\", \"text\", \"length\"; choose one with --rank, or use first, last or longest\n",
		"jaccard articles.jsonl":                                                             "jaccard: one of --records FILE and --texts FILE is required for exact scores, or --sigs FILE for estimates\njaccard: hint: try 'jaccard --help'\n",
		"echo '0 1' | tr ' ' '\\t' | dupgroup":                                               "dupgroup: <stdin>:1: want the columns a b score, found 2 of 3\ndupgroup: hint: jaccard scores pairs, as in: recsign FILE | lshpairs | jaccard --records FILE; --equal reads the lines as pairs of equal records\n",
		"echo '0 99' | tr ' ' '\\t' | jaccard --records articles.jsonl":                      "jaccard: 1 id of the pairs is not among the records, such as \"99\"\njaccard: hint: make the pairs from the files that are read here, with the same --id and -H\n",
		"keepdrop articles.jsonl":                                                            "keepdrop: one of --decisions, --keep and --drop is required\nkeepdrop: hint: try 'keepdrop --help'\n",
		"echo 99 | keepdrop --drop - articles.jsonl":                                         "keepdrop: 1 id of the list is not among the records, such as \"99\"\nkeepdrop: hint: ids are numbers from 0 unless --id or -H is given; --partial accepts a list with more ids\n",
		"printf 'b\\tx\\na\\ty\\n' | keypairs":                                               "keypairs: <stdin>:2: the keys are not sorted\nkeypairs: hint: sort the keys: LC_ALL=C sort, or use --unsorted\n",
		"gzip -c articles.jsonl | head -c 3000 > a.gz; doppel count a.gz":                    "doppel count: a.gz: truncated compressed file: unexpected EOF\n",
		"reccat articles.jsonl -o a.csv":                                                     "reccat: JSON lines cannot be written as CSV: fields may be nested\nreccat: hint: write to .jsonl or .parquet, or use --to jsonl or parquet\n",
		"fuzzyseen < README":                                                                 "fuzzyseen: want the name of a cache file, or --filter for lines\nfuzzyseen: hint: try 'fuzzyseen --help'\n",
		"doppel files -r":                                                                    "doppel files: -r needs a directory, such as .\ndoppel files: hint: try 'doppel files --help'\n",
		"recfilter --rule 'len<3' articles.jsonl":                                            "recfilter: --rule: invalid rule \"len<3\": unknown metric \"len\"\nrecfilter: hint: recfilter(1) lists the metrics\n",
		"recsign test":                                                                       "recsign: test: the directory has no data files\nrecsign: hint: data files have names that end in .jsonl, .json, .ndjson, .parquet, .csv or .tsv, which .gz, .zst, .bz2 or .xz may follow\n",
	} {
		t.Run(command, func(t *testing.T) {
			c := exec.Command("sh", "-c", "{ "+command+"; } 2>&1 > /dev/null")
			c.Dir = t.TempDir()
			if err := os.CopyFS(c.Dir, os.DirFS("../testdata/docs")); err != nil {
				t.Fatal(err)
			}
			c.Env = append(os.Environ(), toolPath())
			out, err := c.Output()
			if d := cmp.Diff(want, string(out)); d != "" || err == nil {
				t.Errorf("%v\n%s", err, d)
			}
		})
	}
}
