//go:build linux

package main

// chains are the jobs that write files: those that people kill.
var chains = []job{
	{name: "fuzzy", args: "doppel fuzzy --stats none --removed o/removed -o o/out i/many.jsonl",
		inputs: []string{"many.jsonl"}, files: []string{"out", "removed"}, under: ofFuzzy, oracle: fuzzyOracle},
	{name: "fuzzy-stdin", args: "doppel fuzzy --stats none --mem 1M -o o/out",
		stdin: "many.jsonl", files: []string{"out"}, oracle: fuzzyOracle},
	{name: "fuzzy-parquet", args: "doppel fuzzy --stats none -o o/out i/many.parquet",
		inputs: []string{"many.parquet"}, files: []string{"out"}},
	{name: "exact", args: "doppel exact --stats none --field text -o o/out i/many.jsonl",
		inputs: []string{"many.jsonl"}, files: []string{"out"}, oracle: exactOracle},
	{name: "files", args: "doppel files -o o/out -r i/tree", inputs: []string{"tree"}, files: []string{"out"}, some: true, oracle: filesOracle},
	{name: "shared", args: "doppel shared -o o/out i/tree", inputs: []string{"tree"}, files: []string{"out"}, under: "recsign lshpairs jaccard matchsub"},
	{name: "pipeline", args: "doppel pipeline --stats none -c i/steps.yaml -o o/out i/many.jsonl",
		inputs: []string{"many.jsonl", "steps.yaml"}, files: []string{"out"}, oracle: fuzzyOracle},
	{name: "keepdrop", args: "keepdrop --decisions i/manydecisions --removed o/removed --stats o/stats -o o/out i/many.jsonl",
		inputs: []string{"many.jsonl", "manydecisions"}, files: []string{"out", "removed", "stats"}, oracle: fuzzyOracle},
	{name: "recuniq", args: "recuniq --field text --against i/seen --save o/new -o o/out i/many.jsonl",
		inputs: []string{"many.jsonl", "seen"}, files: []string{"out", "new"}, oracle: exactOracle},
	{name: "recuniq-spill", args: "recuniq --field text --mem 64K --save o/new -o o/out i/many.jsonl",
		inputs: []string{"many.jsonl"}, files: []string{"out", "new"}, oracle: exactOracle},
	{name: "fuzzy-report", args: "doppel fuzzy --stats none --report o/report --scores o/scores -o o/out i/many.jsonl",
		inputs: []string{"many.jsonl"}, files: []string{"out", "report", "scores"}, under: "recsign lshpairs jaccard dupgroup keepdrop dupreport", oracle: fuzzyOracle},
	{name: "cut", args: "doppel cut --stats none --scores i/manyscored --removed o/removed -o o/out i/many.jsonl",
		inputs: []string{"many.jsonl", "manyscored"}, files: []string{"out", "removed"}, under: "dupgroup keepdrop", oracle: fuzzyOracle},
	{name: "passages", args: "doppel passages --stats none --mem 1M --removed o/removed -o o/out i/many.jsonl",
		inputs: []string{"many.jsonl"}, files: []string{"out", "removed"}, under: "dupspan keepdrop"},
	{name: "groups", args: "doppel groups -o o/out i/many.jsonl", inputs: []string{"many.jsonl"}, files: []string{"out"}, under: "recsign lshpairs jaccgroup"},
	{name: "filter", args: "doppel filter --stats none -c i/filters.yaml -o o/out i/many.jsonl",
		inputs: []string{"many.jsonl", "filters.yaml"}, files: []string{"out"}},
	{name: "dirs", args: "doppel dirs -t 0.05 -o o/out i/tree", inputs: []string{"tree"}, files: []string{"out"}, some: true},
}

// ofFuzzy are the stages of doppel fuzzy.
const ofFuzzy = "recsign lshpairs jaccgroup keepdrop"

// stages are the other tools, one run each.
var stages = []job{
	{name: "recsign", args: "recsign -o o/out i/many.jsonl", inputs: []string{"many.jsonl"}, files: []string{"out"}},
	{name: "recsign-simhash", args: "recsign -m simhash -o o/out i/many.jsonl", inputs: []string{"many.jsonl"}, files: []string{"out"}},
	{name: "recsign-files", args: "recsign -m sample --files -o o/out i/names", inputs: []string{"names", "tree"}, files: []string{"out"}},
	{name: "lshkeys", args: "lshkeys -o o/out i/manysigs", inputs: []string{"manysigs"}, files: []string{"out"}},
	{name: "lshpairs", args: "lshpairs --mem 1M -o o/out i/manysigs", inputs: []string{"manysigs"}, files: []string{"out"}},
	{name: "keypairs", args: "keypairs --mem 1M -o o/out i/keys", inputs: []string{"keys"}, files: []string{"out"}},
	{name: "keypairs-unsorted", args: "keypairs --unsorted --mem 1M -o o/out i/keys", inputs: []string{"keys"}, files: []string{"out"}},
	{name: "simpairs", args: "simpairs --within 3 -o o/out i/simhashes", inputs: []string{"simhashes"}, files: []string{"out"}},
	{name: "jaccard", args: "jaccard --mem 1M --records i/many.jsonl -o o/out i/manypairs",
		inputs: []string{"many.jsonl", "manypairs"}, files: []string{"out"}},
	{name: "dupgroup", args: "dupgroup --mem 1M --cut 0.8 -o o/out i/manyscored", inputs: []string{"manyscored"}, files: []string{"out"}},
	{name: "jaccgroup", args: "jaccgroup -t 0.8 --mem 1M --records i/many.jsonl -o o/out i/manypairs",
		inputs: []string{"many.jsonl", "manypairs"}, files: []string{"out"}},
	{name: "dupspan", args: "dupspan --scan --mem 1M --records i/many.jsonl -o o/out", inputs: []string{"many.jsonl"}, files: []string{"out"}},
	{name: "dupreport", args: "dupreport --records i/many.jsonl --decisions i/manydecisions --scores i/manyscored -o o/out",
		inputs: []string{"many.jsonl", "manydecisions", "manyscored"}, files: []string{"out"}},
	{name: "mail", args: "doppel mail -o o/out i/box", inputs: []string{"box"}, files: []string{"out"}},
	{name: "matchsub", args: "matchsub --records i/few.jsonl -o o/out i/pairs", inputs: []string{"few.jsonl", "pairs"}, files: []string{"out"}},
	{name: "recfilter", args: "recfilter --apply --preset default --stats o/stats -o o/out i/many.jsonl",
		inputs: []string{"many.jsonl"}, files: []string{"out", "stats"}},
	{name: "reccat-gz", args: "reccat --to gz -o o/out i/many.jsonl", inputs: []string{"many.jsonl"}, files: []string{"out"}},
	{name: "reccat-zst", args: "reccat --to zst -o o/out i/many.jsonl", inputs: []string{"many.jsonl"}, files: []string{"out"}},
	{name: "reccat-parquet", args: "reccat --to parquet -o o/out i/many.jsonl", inputs: []string{"many.jsonl"}, files: []string{"out"}},
	{name: "blockhash", args: "blockhash -o o/out -r i/tree", inputs: []string{"tree"}, files: []string{"out"}, some: true},
	{name: "fuzzysum", args: "fuzzysum -o o/out --mbox i/mbox", inputs: []string{"mbox"}, files: []string{"out"}},
	{name: "measure", args: "doppel measure --sample 200 -o o/out i/many.jsonl", inputs: []string{"many.jsonl"}, files: []string{"out"}},
}
