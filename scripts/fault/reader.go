//go:build linux

package main

import "slices"

// readers are what reads each format. Most write o/out, where an old file lies
// that only a run with status 0 may replace.
var readers = []reader{
	{name: "recuniq-jsonl", input: "few.jsonl", args: "recuniq --stats o/stats -o o/out i/x", check: uniqLines, cuts: 60, random: 20},
	{name: "recuniq-field", input: "few.jsonl", args: "recuniq --field text --stats o/stats -o o/out i/x", check: counted, cuts: 60, random: 20},
	{name: "recuniq-keep-going", input: "few.jsonl", args: "recuniq -k --field text --stats o/stats -o o/out i/x", every: countedWithBad, cuts: 60, random: 20},
	{name: "fuzzy-jsonl", input: "few.jsonl", args: "doppel fuzzy --stats none -o o/out i/x", check: subset, cuts: 30, random: 10},
	{name: "fuzzy-keep-going", input: "few.jsonl", args: "doppel fuzzy -k --stats none -o o/out i/x", check: subset, cuts: 30, random: 10},
	{name: "exact-jsonl", input: "few.jsonl", args: "doppel exact --field text --stats none -o o/out i/x", check: subset, cuts: 30, random: 10},
	{name: "pipeline-jsonl", input: "few.jsonl", args: "doppel pipeline -c i/steps.yaml --stats none -o o/out i/x", with: []string{"steps.yaml"}, check: subset, cuts: 30, random: 5},
	{name: "recsign-jsonl", input: "few.jsonl", args: "recsign -o o/out i/x", cuts: 30, random: 15},
	{name: "recfilter-jsonl", input: "few.jsonl", args: "recfilter --apply --preset default --stats o/stats -o o/out i/x", check: counted, cuts: 30, random: 15},
	{name: "inspect-jsonl", input: "few.jsonl", args: "doppel inspect -n 100 i/x", cuts: 30, random: 15},
	{name: "parquet-of-jsonl", input: "few.jsonl", args: "reccat --to parquet -o o/out i/x", cuts: 30, random: 15},

	{name: "recuniq-gz", input: "few.gz", args: "recuniq --stats o/stats -o o/out i/x", every: sameOrRefused, cuts: 80, random: 30},
	{name: "keepdrop-gz", input: "few.gz", args: "keepdrop --decisions i/decisions -o o/out i/x", with: []string{"decisions"}, every: sameOrRefused, cuts: 40, random: 10},
	{name: "recuniq-zst", input: "few.zst", args: "recuniq --stats o/stats -o o/out i/x", every: sameOrRefused, cuts: 80, random: 30},
	{name: "keepdrop-zst", input: "few.zst", args: "keepdrop --decisions i/decisions -o o/out i/x", with: []string{"decisions"}, every: sameOrRefused, cuts: 40, random: 10},

	{name: "lshpairs", input: "sigs", args: "lshpairs -o o/out i/x", cuts: 40, random: 20},
	{name: "lshpairs-against", input: "sigs", args: "lshpairs --against i/x -o o/out i/sigs", with: []string{"sigs"}, cuts: 20, random: 10},
	{name: "lshkeys", input: "sigs", args: "lshkeys -o o/out i/x", cuts: 40, random: 20},
	{name: "lshkeys-samples", input: "samples", args: "lshkeys -o o/out i/x", cuts: 20, random: 10},
	{name: "simpairs", input: "simhashes", args: "simpairs --within 3 -o o/out i/x", cuts: 40, random: 20},
	{name: "recuniq-against", input: "seen", args: "recuniq --field text --against i/x -o o/out i/few.jsonl", with: []string{"few.jsonl"}, cuts: 30, random: 15},
	{name: "jaccard-sigs", input: "sigs", args: "jaccard --sigs i/x -o o/out i/pairs", with: []string{"pairs"}, cuts: 20, random: 10},
	{name: "keypairs", input: "keys", args: "keypairs -o o/out i/x", cuts: 40, random: 20},
	{name: "keypairs-unsorted", input: "keys", args: "keypairs --unsorted -o o/out i/x", cuts: 20, random: 10},
	{name: "jaccard", input: "pairs", args: "jaccard --records i/few.jsonl -o o/out i/x", with: []string{"few.jsonl"}, cuts: 40, random: 20},
	{name: "matchsub", input: "pairs", args: "matchsub --records i/few.jsonl -o o/out i/x", with: []string{"few.jsonl"}, cuts: 20, random: 10},
	{name: "dupgroup", input: "scored", args: "dupgroup --cut 0.8 -o o/out i/x", cuts: 40, random: 20},
	{name: "keepdrop-decisions", input: "decisions", args: "keepdrop --decisions i/x --stats o/stats -o o/out i/few.jsonl", with: []string{"few.jsonl"}, check: ofFew, cuts: 40, random: 20},
	{name: "fuzzyseen-cache", input: "cache", args: "fuzzyseen -f i/x", check: cacheTaken, cuts: 40, random: 20},
	{name: "fuzzyseen-sums", input: "sums", args: "fuzzyseen -f o/cache", check: cacheOrRefused, cuts: 20, random: 10},
	{name: "fuzzysum-mail", input: "mail", args: "fuzzysum --mime --attachments hash -o o/out i/x", cuts: 40, random: 20},
	{name: "fuzzysum-mbox", input: "mbox", args: "fuzzysum --mime --mbox -o o/out i/x", cuts: 20, random: 10},
	{name: "key", input: "key", args: "blockhash --hash highway --key i/x -o o/out i/few.jsonl", with: []string{"few.jsonl"}, cuts: 32, random: 3},
	{name: "recuniq-xz", input: "few.xz", args: "recuniq --stats o/stats -o o/out i/x", every: sameOrRefused, cuts: 60, random: 20},
	{name: "recuniq-bz2", input: "few.bz2", args: "recuniq --stats o/stats -o o/out i/x", every: asUnharmed, cuts: 60, random: 20},
	{name: "recuniq-csv", input: "few.csv", end: ".csv", args: "recuniq --field text --stats o/stats -o o/out i/x", check: counts, cuts: 40, random: 15},

	{name: "jaccgroup", input: "pairs", args: "jaccgroup -t 0.8 --records i/few.jsonl -o o/out i/x", with: []string{"few.jsonl"}, check: dropsCopies, cuts: 40, random: 20},
	{name: "jaccgroup-records", input: "few.jsonl", args: "jaccgroup -t 0.8 --records i/x -o o/out i/pairs", with: []string{"pairs"}, cuts: 40, random: 15},
	{name: "jaccard-records", input: "few.jsonl", args: "jaccard --records i/x -o o/out i/pairs", with: []string{"pairs"}, cuts: 20, random: 10},
	{name: "cut", input: "scored", args: "doppel cut --stats none --scores i/x -o o/out i/few.jsonl", with: []string{"few.jsonl"}, check: subset, cuts: 40, random: 20},
	{name: "cut-records", input: "few.jsonl", args: "doppel cut --stats none --scores i/scored -o o/out i/x", with: []string{"scored"}, check: subset, cuts: 40, random: 15},
	{name: "cut-parquet", input: "scored.parquet", end: ".parquet", args: "doppel cut --stats none --scores i/x -o o/out i/few.jsonl", with: []string{"few.jsonl"}, check: subset, cuts: 40, random: 20},
	{name: "audit-output", input: "clean", args: "doppel audit --decisions i/decisions -o i/x i/few.jsonl", with: []string{"decisions", "few.jsonl"}, check: isClean, cuts: 60, random: 40},
	{name: "audit-all-faults", input: "clean", args: "doppel audit -k --decisions i/decisions -o i/x i/few.jsonl", with: []string{"decisions", "few.jsonl"}, check: isClean, cuts: 30, random: 20},
	{name: "audit-decisions", input: "decisions", args: "doppel audit --decisions i/x -o i/clean i/few.jsonl", with: []string{"clean", "few.jsonl"}, cuts: 40, random: 20},
	{name: "audit-scores", input: "scored", args: "doppel audit --decisions i/decisions --scores i/x -o i/clean i/few.jsonl", with: []string{"decisions", "clean", "few.jsonl"}, cuts: 40, random: 20},
	{name: "audit-records", input: "few.jsonl", args: "doppel audit --decisions i/decisions -o i/clean i/x", with: []string{"decisions", "clean"}, cuts: 40, random: 15},
	{name: "dupspan", input: "spans", args: "dupspan --records i/few.jsonl -o o/out i/x", with: []string{"few.jsonl"}, check: spansOfFew, cuts: 40, random: 20},
	{name: "dupspan-records", input: "few.jsonl", args: "dupspan --records i/x -o o/out i/spans", with: []string{"spans"}, cuts: 40, random: 15},
	{name: "dupspan-scan", input: "few.jsonl", args: "dupspan --scan --records i/x -o o/out", cuts: 40, random: 15},
	{name: "dupspan-against", input: "spansof", args: "dupspan --scan --against i/x --against-records i/few.jsonl --records i/n1 -o o/out", with: []string{"few.jsonl", "n1"}, cuts: 30, random: 15},
	{name: "passages", input: "few.jsonl", args: "doppel passages --stats none -o o/out i/x", cuts: 30, random: 10},
	{name: "keepdrop-spans", input: "spandecisions", args: "keepdrop --cut i/x -o o/out i/few.jsonl", with: []string{"few.jsonl"}, cuts: 40, random: 20},
	{name: "dupreport-records", input: "few.jsonl", args: "dupreport --records i/x --decisions i/decisions --scores i/scored -o o/out", with: []string{"decisions", "scored"}, check: page, cuts: 40, random: 15},
	{name: "dupreport-decisions", input: "decisions", args: "dupreport --records i/few.jsonl --decisions i/x --scores i/scored -o o/out", with: []string{"few.jsonl", "scored"}, check: page, cuts: 40, random: 15},
	{name: "dupreport-scores", input: "scored", args: "dupreport --records i/few.jsonl --decisions i/decisions --scores i/x -o o/out", with: []string{"few.jsonl", "decisions"}, check: page, cuts: 40, random: 15},
	{name: "dupreport-measured", input: "measured", args: "dupreport --records i/few.jsonl --decisions i/decisions --measured i/x -o o/out", with: []string{"few.jsonl", "decisions"}, check: page, cuts: 20, random: 10},
	{name: "dupreport-common", input: "hotkeys", args: "dupreport --records i/few.jsonl --decisions i/decisions --common i/x -o o/out", with: []string{"few.jsonl", "decisions"}, check: page, cuts: 20, random: 10},
	{name: "fuzzy-report", input: "few.jsonl", args: "doppel fuzzy --stats none --report o/report -o o/out i/x", check: subset, cuts: 30, random: 10},
	{name: "dupreview-pairs", input: "scored", args: "dupreview --records i/few.jsonl --keys a2aa -o o/journal i/x", with: []string{"few.jsonl"}, cuts: 30, random: 10},
	{name: "dupreview-records", input: "few.jsonl", args: "dupreview --records i/x --keys a2aa -o o/journal i/scored", with: []string{"scored"}, cuts: 30, random: 10},
	{name: "dupreview-journal", input: "judged", args: "dupreview --records i/few.jsonl --keys s -o i/x i/scored", with: []string{"few.jsonl", "scored"}, every: journalOrRefused, cuts: 40, random: 20},
	{name: "measure-judged", input: "judged", args: "doppel measure --judged i/x -o o/out", cuts: 20, random: 10},
	{name: "files-cache", input: "hashes", args: "doppel files --trust --cache i/x -o o/out -r ../inputs/tree", check: equalGroups, cuts: 40, random: 20},
	{name: "mail-mbox", input: "box", args: "doppel mail -o o/out i/x", cuts: 30, random: 10},

	{name: "pipeline-toml", input: "steps.toml", end: ".toml", args: "doppel pipeline -c i/x --stats none -o o/out i/few.jsonl", with: []string{"few.jsonl"}, check: subset, cuts: 40, random: 15},
	{name: "pipeline-toml-filters", input: "filters.toml", end: ".toml", args: "doppel pipeline -c i/x --stats none -o o/out i/few.jsonl", with: []string{"few.jsonl"}, check: subset, cuts: 40, random: 15},
	{name: "filter-yaml", input: "allfilters.yaml", args: "doppel filter -c i/x --stats none -o o/out i/few.jsonl", with: []string{"few.jsonl"}, check: subset, cuts: 40, random: 15},
	{name: "pipeline-yaml", input: "steps.yaml", args: "doppel pipeline -c i/x --stats none -o o/out i/few.jsonl", with: []string{"few.jsonl"}, check: subset, cuts: 40, random: 15},
}

// parquetReaders are tried on each of the Parquet files.
var parquetReaders = []reader{
	{name: "recuniq", args: "recuniq --stats o/stats -o o/out i/x", check: counts, cuts: 20, random: 30},
	{name: "recuniq-field", args: "recuniq --field text --verify --stats o/stats -o o/out i/x", check: counts, cuts: 20, random: 20},
	{name: "keepdrop", args: "keepdrop --decisions i/fewdecisions --stats o/stats -o o/out i/x", with: []string{"fewdecisions"}, check: counts, cuts: 20, random: 20},
	{name: "fuzzy", args: "doppel fuzzy --stats none -o o/out i/x", cuts: 10, random: 5},
	{name: "jsonl", args: "reccat --to jsonl -o o/out i/x", cuts: 20, random: 30},
	{name: "inspect", args: "doppel inspect i/x", cuts: 20, random: 20},
	{name: "head", args: "reccat -n 3 -o o/out i/x", cuts: 20, random: 20},
	{name: "count", args: "doppel count i/x", cuts: 20, random: 5},
}

// allReaders are those, and the others.
func allReaders() []reader {
	all := slices.Clone(readers)
	for _, input := range []string{"few.parquet", "arrow-plain.parquet", "arrow-snappy.parquet", "arrow-gzip.parquet", "arrow-zstd.parquet"} {
		for _, rd := range parquetReaders {
			rd.name += "-" + input
			rd.input = input
			all = append(all, rd)
		}
	}
	return all
}
