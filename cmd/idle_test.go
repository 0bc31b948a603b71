package cmd_test

import (
	"slices"
	"strings"
	"testing"
)

// idleLines lists, by tool, command lines that are errors because their last flag would have no
// effect. Combinations that are errors in every tool that has the flags are in sharedIdle.
var idleLines = map[string][]string{
	"blockhash": {"--full --block 4K", "--full --blocks 3", "--full --offset 4K", "--offset 4K --blocks 3"},
	"dupgroup":  {"--id id", "--lines", "--csv", "--max-record 1G", "-H", "--expect 3", "--name x"},
	"dupreport": {"--records x --decisions y --against-field f", "--records x --decisions y --against-id f", "--records x --decisions y --against z --whole --against-field f"},
	"dupspan": {
		"--records x --against y", "--records x --length 200", "--records x --normalize balanced", "--records x --against-records y",
		"--records x --scan --against y --keep first", "--records x --scan --against y --copies 1", "--records x --against-field f", "--records x --against-id f",
	},
	"fuzzyseen": {"-n --max 120K x"},
	"fuzzysum":  {"--attachments skip"},
	"jaccard": {
		"--sigs x --files", "--sigs x --shingle w3", "--sigs x --normalize balanced",
		"--sigs x --field text", "--sigs x --id id", "--sigs x --lines", "--sigs x --csv", "--sigs x --max-record 1G", "--sigs x -H", "--sigs x --expect 3", "--sigs x --key x",
		"--records x --files --id id", "--records x --files --field text", "--sigs x --within f", "--records x --files --within f", "--records x --against-field f", "--records x --against-id f",
	},
	"jaccgroup": {"--records x --files --within f", "--records x --files --field text", "--records x --files --id id", "--records x --files --csv", "--records x --files --lines", "--records x --files --max-record 1G", "--records x --files -H"},
	"keepdrop":  {"--decisions x --within f", "--decisions x --column 1", "--decisions x --to jsonl --codec zstd", "--decisions x -o x.jsonl --level 3", "--decisions x --to csv --level 3", "--drop x --min-left 0", "--decisions x --force-field", "--decisions x --against y", "--drop x --removed y --against z", "--decisions x --against-field f", "--decisions x --against-id f", "--decisions x --removed y --against z --whole --against-field f"},
	"keypairs":  {"--common x"},
	"lshkeys":   {"--bands 4 --threshold 0.8", "--rows 4 --recall 0.99", "--explain --within 3", "--explain --json"},
	"lshpairs": {
		"--bands 4 -t 0.8", "--rows 4 --recall 0.99", "--against x --common x", "--against-field f", "--explain --within 3", "--explain --hot 1000", "--explain --all-pairs",
		"--explain --df 0", "--explain --count", "--explain --against x", "--explain --json", "--explain --mem 1G",
	},
	"matchsub": {"--color auto", "--width 0", "--field text", "--id id", "--lines", "--csv", "--max-record 1G", "--expect 3", "--show --matches -1", "--most 16", "--all-matches --summary --most 16", "--all-matches --matches 3 --most 16"},
	"reccat":   {"--seed 1", "-c --to jsonl", "-c --codec zstd", "-c --level 3", "--to parquet --level 0"},
	"recfilter": {
		"--confidence 0.5", "--min-text-length 50", "--apply --id id", "--apply -H", "--to jsonl", "--codec zstd",
	},
	"recsign": {
		"-m exact --slots 128", "-m exact --slot-bits 16", "-m exact --seed 1", "-m exact --shingle w3", "-m exact --bits 64",
		"--hash city", "--unicode NFC", "--zero", "--verbose", "--whole", "-m simhash --key x", "--window 50", "--prime 982451653", "--modulus 2^64",
		"--criterion 8", "--winnow 0", "--raw", "--length 200",
		"--files --field text", "--files --id id", "--files --lines", "--files --csv", "--files --max-record 1G", "--files -H",
		"-m exact --whole --field text", "-m exact --whole --missing keep",
	},
	"recsieve":     {"--no-wait", "--estimate", "--bands 4 --recall 0.99", "--ordinals", "--to jsonl --codec zstd", "-o x.jsonl --level 3"},
	"recuniq":      {"--save x --no-wait", "--missing keep", "--force-field", "--id id", "-H", "--ordinals", "--seen 0", "--least 0", "--min-left 0"},
	"simpairs":     {"--all --window 2", "--hot 1000", "--within 3 --window 2", "--within 3 --threshold 0.25"},
	"doppel exact": {"--save x --no-wait", "--missing keep", "--force-field", "--timed", "--id id", "-H", "-o x.csv --codec zstd", "-o x.csv --level 1", "--batch 1M", "--seen 0", "--least 0", "--removed x --min-left 0"},
	"doppel fuzzy": {"--save x --no-wait", "--estimate", "--against x --estimate", "--save x --estimate", "--force-field", "--timed", "--against-field f", "--against-id f", "--bands 4 --recall 0.99", "--to jsonl --codec zstd", "-o x.jsonl --level 3",
		"--sizes x", "--sample 9", "--machines 9", "--cores 9", "--plan --dry-run", "--plan --verbose", "--plan --stats none", "--plan --progress", "--plan --no-progress", "--plan --no-sync", "--batch 1M", "--print=json --parts=2 --batch 1M"},
	"doppel cut":   {"--scores x --target 5 --threshold 0.5", "--scores x --force-field", "--scores x --timed", "--scores x --to jsonl --codec zstd", "--scores x -o x.jsonl --level 3"},
	"doppel index": {"--no-wait x", "--check --json x", "--merge -o y x", "--remove y --json x"},
	"doppel groups": {
		"--list x --threshold 0.5", "--list x --recall 0.9", "--list x --bands 4", "--list x --rows 4", "--list x --hot 9", "--list x --shingle w3", "--list x --normalize balanced",
		"--list x --key x", "--list x --slots 64", "--list x --seed 1", "--list x --policy greedy", "--list x --rank first", "--list x --within f", "--list x --across f",
	},
	"doppel overlap": {
		"--test x --cut", "--test x --save y --coverage 0.35", "--test x --save y --show", "--test x --save y --common z", "--test x --save y --decisions z",
		"--test x --save y --cut", "--test x --save y --spoiled z", "--test x --save y --report z", "--test x --save y --json", "--test x --save y --header",
		"--test x --save y -o z", "--test x --save y -H", "--test x --merge --field text", "--test x --merge --id n", "--test x --merge -H", "--test x --merge --name n",
		"--test x --merge --expect 3", "--test x --print=make -H", "--test x --print=json --no-sync",
	},
	"doppel passages": {"--timed", "--batch 1M", "--against-field f", "--against-id f", "--against x --keep first", "--against x --copies 1", "--to jsonl --codec zstd", "-o x.jsonl --level 3"},
	"doppel shared":   {"--common x", "--scores --base x", "--scores --summary", "--scores --all-matches", "--scores --most 3", "--scores --total 1", "--scores --line-numbers"},
	"doppel files":    {"--yes"},
	"doppel filter":   {"--timed"},
	"doppel mail":     {"--yes", "--similar"},
	"doppel measure":  {"--rows 4 --recall 0.99"},
	"doppel audit":    {"--decisions x -o y --of exact --threshold 0.8", "--decisions x -o y --of exact --shingle w3", "--decisions x -o y --of exact --policy greedy", "--decisions x -o y --min-left 0", "--decisions x -o y --of passages --cluster-size z", "--decisions x -o y --of passages --repeat 2:1", "--decisions x -o y --of passages --split lines", "--decisions x -o y --force-field", "--decisions x -o y --tree", "--decisions x -o y --only-against", "--decisions x -o y --against-field x", "--decisions x -o y --against-id x"},
}

// sharedIdle lists combinations of flags in which the last flag has no effect, whichever tool
// has these flags.
var sharedIdle = [][]string{{"lines", "field"}, {"lines", "missing"}, {"lines", "no-partitions"}, {"no-progress", "progress"}, {"no-sync"}, {"finished"}, {"tree"}}

// always lists flags that have an effect in every mode of every tool or, like --jobs, no visible
// effect at all. It includes flags that define how records are read, although they have no effect
// in modes that read no records.
var always = strings.Fields("help version jobs keep-going output mem null json no-progress id with-filename lines csv separator quote encoding no-partitions manifest run missing max-record print dry-run header verbose stats records to expect name")

// alwaysOf lists, by tool, flags that have an effect in every mode of the tool.
var alwaysOf = map[string]string{
	"blockhash":       "full seed-compat hash key salt salt-column decimal empty bare hardlinks recursive dereference",
	"dupgroup":        "policy rank cut against keep counts equal seen target apart",
	"dupreport":       "decisions against scores by threshold command chain seconds seed ordinals paths whole",
	"dupreview":       "near output keys",
	"dupspan":         "scan bridge snap min-left counts within across",
	"fuzzyseen":       "distance filter invert look",
	"fuzzysum":        "one-sided words min-words mime mbox files",
	"jaccard":         "sigs threshold containment texts apart against split part",
	"jaccgroup":       "files threshold containment shingle normalize rank split key",
	"keepdrop":        "decisions keep drop cut ordered ordinals partial removed ids only-ids annotate whole cluster-size repeat",
	"keypairs":        "hot all-pairs df count unsorted part",
	"lshkeys":         "bands rows explain parts into",
	"lshpairs":        "bands rows explain",
	"matchsub":        "threshold bytes normalize difflib all-matches header show line-numbers summary base total",
	"reccat":          "head count sample like part",
	"recfilter":       "apply score preset rule min-length max-length min-word-count max-word-count max-repetition-ratio min-unique-words-ratio max-url-ratio max-special-char-ratio min-avg-word-length reject-html filter-profanity languages level",
	"recsign":         "method normalize split least files without within across",
	"recsieve":        "threshold bands rows hot shingle normalize key slots slot-bits seed decisions removed against only-against save index",
	"recuniq":         "normalize count duplicates verify against save index key codec level split cluster-size repeat within decisions removed",
	"simpairs":        "within all files",
	"doppel fuzzy":    "threshold bands rows hot shingle normalize slots seed policy rank removed key keep counts split least against only-against save index scores decisions groups annotate ids report by parts cluster-size repeat within across plan",
	"doppel exact":    "normalize count duplicates verify against save index key removed decisions rank report by parts split cluster-size repeat within across",
	"doppel cut":      "scores policy rank target keep counts decisions cluster-size repeat removed report by",
	"doppel groups":   "list ordinals groups width",
	"doppel index":    "check merge remove export",
	"doppel shared":   "threshold window normalize criterion winnow df scores all-pairs exclude all",
	"doppel text":     "n-gram-size bits threshold alike",
	"doppel files":    "verify trust print0 recursive dereference keep reference must-match min-size max-size name exclude one-file-system cache known format link reflink remove",
	"doppel dirs":     "threshold min-files min-size max-size exclude one-file-system df trust cache dereference",
	"doppel mail":     "block distance attachments keep into remove",
	"doppel overlap":  "test test-field test-id window df test-df normalize save merge",
	"doppel passages": "length normalize against against-records bridge snap min-left counts within across annotate removed decisions report by parts",
	"doppel pipeline": "config no-sync", // --no-sync has an effect if the --config file names an output
	"doppel filter":   "config report by",
	"doppel audit":    "of decisions scores output against keep normalize sample field within across bands counts hot least rank recall rows save seed slots index no-wait estimate",
	"doppel measure":  "threshold bands rows hot shingle normalize slots seed policy rank sample floor closest judged key",
}

// TestIdleFlags checks that a flag is an error in a mode in which it has no effect, even with its
// default value, and that the command lines and lists above cover every flag.
func TestIdleFlags(t *testing.T) {
	for _, name := range commandNames(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			flags := flagsOf(name)
			known := append(slices.Clone(always), strings.Fields(alwaysOf[name])...)
			for _, line := range append(slices.Clone(idleLines[name]), sharedLines(name, flags)...) {
				known = append(known, refused(t, name, line, flags))
			}
			for _, f := range flags {
				if !slices.Contains(known, f[0]) {
					t.Errorf("--%s: in which mode does it do nothing? (see idleLines and alwaysOf)", f[0])
				}
			}
		})
	}
}

// refused runs a command line, checks that it fails with a message about its last flag, and
// returns the long name of that flag.
func refused(t *testing.T, name, line string, flags [][]string) string {
	t.Helper()
	words := append(strings.Fields(name), strings.Fields(line)...)
	last := ""
	for _, w := range words {
		for _, f := range flags {
			if w == "--"+f[0] || f[1] != "" && w == "-"+f[1] {
				last = f[0]
			}
		}
	}
	r := run(command(words[0], words[1:]...), "")
	if r.status != 2 || r.stdout != "" || !strings.Contains(r.stderr, "--"+last) || strings.Contains(r.stderr, "no such file") {
		t.Errorf("%s %s: %+v", name, line, r)
	}
	return last
}

// sharedLines returns a command line for each combination in sharedIdle whose flags the tool
// has.
func sharedLines(name string, flags [][]string) (lines []string) {
	const needed = " --records x"
	prefix := map[string]string{"keepdrop": "--drop x ", "recuniq": "--save x ", "doppel exact": "--save x ", "dupreport": "--records x --decisions x ", "doppel pipeline": "-c x ", "doppel audit": "--decisions x -o y ", "doppel overlap": "--test x ", "doppel cut": "--scores x "}[name]
	if slices.Contains(strings.Fields("jaccard jaccgroup dupgroup dupspan matchsub dupreview"), name) {
		prefix = needed + " "
	}
	has := func(long string) bool {
		return slices.ContainsFunc(flags, func(f []string) bool { return f[0] == long })
	}
	for _, together := range sharedIdle {
		if name == "doppel pipeline" && together[0] == "no-sync" {
			continue // see alwaysOf
		}
		if slices.ContainsFunc(together, func(long string) bool { return !has(long) }) {
			continue
		}
		line := prefix
		if together[0] == "no-sync" {
			line = strings.ReplaceAll(line, "--save x ", "") // --no-sync affects the file that --save writes
		}
		for _, long := range together {
			line += " --" + long
			if long == "id" || long == "field" {
				line += " text"
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// flagsOf returns the long and the short name of each flag of a tool.
func flagsOf(name string) (flags [][]string) {
	words := append(strings.Fields(name), "--flags")
	for line := range strings.Lines(run(command(words[0], words[1:]...), "").stdout) {
		flags = append(flags, strings.Split(line, "\t"))
	}
	return flags
}
