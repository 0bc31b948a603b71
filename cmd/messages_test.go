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
		"doppel fuzy articles.jsonl":                                                         "doppel: no command \"fuzy\"\ndoppel: hint: did you mean doppel fuzzy?\n",
		"doppel fuzzy --treshold 0.9 articles.jsonl":                                         "doppel fuzzy: unknown flag: --treshold\ndoppel fuzzy: hint: did you mean --threshold?\n",
		"doppel fuzzy -t 80 articles.jsonl":                                                  "doppel fuzzy: --threshold 80: want more than 0 and at most 1\ndoppel fuzzy: hint: try 'doppel fuzzy --help'\n",
		"doppel exact --field txt articles.jsonl":                                            "recuniq: articles.jsonl:1: no field \"txt\"\nrecuniq: hint: there are \"id\", \"text\", \"length\"; --field names the one to take\n",
		`echo '{"m":{"to":"a","body":"b"}}' | recsign`:                                       "recsign: <stdin>:1: no field \"text\"\nrecsign: hint: there are \"m.to\", \"m.body\"; --field names the one to take\n",
		`echo '{"m":{"to":"a","body":"b"}}' | recsign --field m`:                             "recsign: <stdin>:1: field \"m\" is an object, not a string\nrecsign: hint: in it there are \"to\", \"body\", as in m.to\n",
		"reccat -o x.parquet articles.jsonl; dupgroup x.parquet":                             "dupgroup: x.parquet:1: this is Parquet, not lines\ndupgroup: hint: reccat --to jsonl x.parquet | makes lines of it\n",
		`echo '{"m":[{"text":[]}]}' | recsign --field 'm[0].text'`:                           "recsign: <stdin>:1: field \"m[0].text\" is an array, not a string\n",
		`echo '{"m":["a"]}' | recsign --field 'm[].text'`:                                    "recsign: <stdin>:1: field \"m[].text\" leads into a string, not an object\n",
		`echo '{"m":{"text":"a"}}' | recsign --field 'm[].text'`:                             "recsign: <stdin>:1: field \"m[].text\" leads into an object, not an array\n",
		`echo '{"m":[{"text":"a"}]}' | recsign --field m.text`:                               "recsign: <stdin>:1: no field \"m.text\"\nrecsign: hint: there are \"m[].text\"; --field names the one to take\n",
		`echo '{"m":[{"text":"a"}]}' | recsign --field m`:                                    "recsign: <stdin>:1: field \"m\" is an array, not a string\nrecsign: hint: in it there are \"[].text\", as in m[].text\n",
		`echo '{"m":1}' | recsign --field m.text`:                                            "recsign: <stdin>:1: no field \"m.text\", since \"m\" is no object\nrecsign: hint: there are \"m\"; --field names the one to take\n",
		"doppel fuzzy --ids -o ids.parquet articles.jsonl":                                   "doppel fuzzy: --output ids.parquet: lines of ids are no Parquet\ndoppel fuzzy: hint: try 'doppel fuzzy --help'\n",
		"doppel fuzzy --keep longest articles.jsonl":                                         "doppel fuzzy: --keep \"longest\": want best or none; --rank says which is the best\ndoppel fuzzy: hint: try 'doppel fuzzy --help'\n",
		"doppel files --dry-run .":                                                           "doppel files: unknown flag: --dry-run\ndoppel files: hint: here that is what doppel files and doppel mail do without --yes\n",
		"doppel fuzzy 60% articles.jsonl":                                                    "doppel fuzzy: 60%: no such file or directory\ndoppel fuzzy: hint: 60% was read as the name of a file; a number follows its option, as in --threshold 0.6\n",
		"doppel fuzzy -F body articles.jsonl":                                                "doppel fuzzy: unknown shorthand flag: 'F' in -F\ndoppel fuzzy: hint: here that is --field PATH\n",
		"doppel exact -n articles.jsonl":                                                     "doppel exact: unknown shorthand flag: 'n' in -n\ndoppel exact: hint: here that is --normalize conservative of doppel exact\n",
		"doppel exact --json articles.jsonl":                                                 "doppel exact: unknown flag: --json\ndoppel exact: hint: here that is --stats json of doppel fuzzy, doppel exact and doppel passages\n",
		"doppel text test/1.txt":                                                             "doppel text: test/1.txt: one text has nothing to be compared with; want two or more\ndoppel text: hint: a list of names is read from standard input: doppel text < test/1.txt\n",
		"doppel shared --window w8 .":                                                        "doppel shared: --window w8: want a number of bytes\ndoppel shared: hint: try 'doppel shared --help'\n",
		"matchsub -j":                                                                        "matchsub: flag needs an argument: 'j' in -j\nmatchsub: hint: -j N is the number of threads; objects are written with --json\n",
		"doppel exact --against README articles.jsonl":                                       "recuniq: README: no hashes of records\nrecuniq: hint: --against takes what --save wrote, or recsign -m exact; of old data they are made by: doppel exact --save SUMS FILE > /dev/null\n",
		"doppel fuzzy --removed x.csv articles.jsonl":                                        "doppel fuzzy: x.csv: CSV is not written there, but lines\ndoppel fuzzy: hint: choose another name, such as .jsonl\n",
		`echo '{"m":["a"]}' | reccat --to parquet -o l.parquet; recsign --field m l.parquet`: "recsign: l.parquet: field \"m\" is an array, not a string\nrecsign: hint: in it there are \"[]\", as in m[]\n",
		"recsign README":                                                                     "recsign: README:1: invalid JSON: unexpected 'a' at byte 1\nrecsign: hint: a record is a JSON object on a line of its own; --csv reads CSV and TSV with a header, --lines takes each line as a text\n",
		"echo '[{}]' | recsign":                                                              "recsign: <stdin>: a JSON array, not JSON lines\nrecsign: hint: jq -c '.[]' makes JSON lines of it\n",
		"lshpairs articles.jsonl":                                                            "lshpairs: articles.jsonl:1: want the columns id scheme signature, found 1 of 3\nlshpairs: hint: recsign writes signatures of records, as in: recsign FILE | lshpairs\n",
		"dupgroup --rank newest --records articles.jsonl </dev/null":                         "dupgroup: articles.jsonl:1: no field \"newest\"\ndupgroup: hint: there are \"id\", \"text\", \"length\"; --rank takes first, last or longest, or names the one to take\n",
		"jaccard articles.jsonl":                                                             "jaccard: want one of --records FILE, --texts FILE and --inline, for exact scores, and --sigs FILE, for estimates\njaccard: hint: try 'jaccard --help'\n",
		"echo '0 1' | tr ' ' '\\t' | dupgroup":                                               "dupgroup: <stdin>:1: want the columns a b score, found 2 of 3\ndupgroup: hint: jaccard scores pairs, as in: recsign FILE | lshpairs | jaccard --records FILE; --equal takes them for pairs of equal records\n",
		"echo '0 99' | tr ' ' '\\t' | jaccard --records articles.jsonl":                      "jaccard: 1 id of the pairs is not among the records, such as \"99\"\njaccard: hint: both must be of the same files, with the same --id and -H\n",
		"keepdrop articles.jsonl":                                                            "keepdrop: want one of --decisions, --keep and --drop\nkeepdrop: hint: try 'keepdrop --help'\n",
		"echo 99 | keepdrop --drop - articles.jsonl":                                         "keepdrop: 1 id of the list is not among the records, such as \"99\"\nkeepdrop: hint: ids are numbers from 0 unless --id or -H is given; --partial takes a list of more records than these\n",
		"printf 'b\\tx\\na\\ty\\n' | keypairs":                                               "keypairs: <stdin>:2: the keys are not sorted\nkeypairs: hint: sort them: LC_ALL=C sort; or --unsorted does\n",
		"gzip -c articles.jsonl | head -c 3000 > a.gz; doppel count a.gz":                    "doppel count: a.gz: the compressed file ends too early: unexpected EOF\n",
		"reccat articles.jsonl -o a.csv":                                                     "reccat: records that come as JSON lines cannot be written as CSV: their fields may be nested\nreccat: hint: write .jsonl or .parquet, or --to one of them\n",
		"fuzzyseen < README":                                                                 "fuzzyseen: want the name of a cache, or --filter for lines\nfuzzyseen: hint: try 'fuzzyseen --help'\n",
		"doppel files -r":                                                                    "doppel files: -r needs a directory, such as .\ndoppel files: hint: try 'doppel files --help'\n",
		"recfilter --rule 'len<3' articles.jsonl":                                            "recfilter: --rule: rule \"len<3\": there is no metric \"len\"\nrecfilter: hint: recfilter(1) lists the metrics\n",
		"recsign test": "recsign: test: no data files in this directory\nrecsign: hint: they are known by names that end in .jsonl, .json, .ndjson, .parquet, .csv or .tsv, and .gz, .zst, .bz2 or .xz\n",
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
