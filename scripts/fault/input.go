//go:build linux

package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A reader is a run of a tool that reads an input which is harmed. The words
// of args name it as i/x.
type reader struct {
	name   string
	input  string
	args   string
	with   []string // further inputs, whole
	check  func(r *room, o outcome, harmed []byte) error
	cuts   int
	random int // of each mutation
}

// readers are what reads each format. Most write o/out, where an old file lies
// that only a run with status 0 may replace.
var readers = []reader{
	{name: "recuniq-jsonl", input: "few.jsonl", args: "recuniq --stats o/stats -o o/out i/x", check: uniqLines, cuts: 60, random: 20},
	{name: "recuniq-field", input: "few.jsonl", args: "recuniq --field text --stats o/stats -o o/out i/x", check: counted, cuts: 60, random: 20},
	{name: "recuniq-keep-going", input: "few.jsonl", args: "recuniq -k --field text --stats o/stats -o o/out i/x", check: countedWithBad, cuts: 60, random: 20},
	{name: "fuzzy-jsonl", input: "few.jsonl", args: "doppel fuzzy --stats none -o o/out i/x", check: subset, cuts: 30, random: 10},
	{name: "fuzzy-keep-going", input: "few.jsonl", args: "doppel fuzzy -k --stats none -o o/out i/x", check: subset, cuts: 30, random: 10},
	{name: "exact-jsonl", input: "few.jsonl", args: "doppel exact --field text --stats none -o o/out i/x", check: subset, cuts: 30, random: 10},
	{name: "pipeline-jsonl", input: "few.jsonl", args: "doppel pipeline -c i/steps.yaml --stats none -o o/out i/x", with: []string{"steps.yaml"}, check: subset, cuts: 30, random: 5},
	{name: "recsign-jsonl", input: "few.jsonl", args: "recsign -o o/out i/x", cuts: 30, random: 15},
	{name: "recfilter-jsonl", input: "few.jsonl", args: "recfilter --apply --preset default --stats o/stats -o o/out i/x", check: counted, cuts: 30, random: 15},
	{name: "inspect-jsonl", input: "few.jsonl", args: "doppel inspect -n 100 i/x", cuts: 30, random: 15},
	{name: "parquet-of-jsonl", input: "few.jsonl", args: "reccat --to parquet -o o/out i/x", cuts: 30, random: 15},

	{name: "recuniq-gz", input: "few.gz", args: "recuniq --stats o/stats -o o/out i/x", check: sameOrRefused, cuts: 80, random: 30},
	{name: "keepdrop-gz", input: "few.gz", args: "keepdrop --decisions i/decisions -o o/out i/x", with: []string{"decisions"}, check: sameOrRefused, cuts: 40, random: 10},
	{name: "recuniq-zst", input: "few.zst", args: "recuniq --stats o/stats -o o/out i/x", check: sameOrRefused, cuts: 80, random: 30},
	{name: "keepdrop-zst", input: "few.zst", args: "keepdrop --decisions i/decisions -o o/out i/x", with: []string{"decisions"}, check: sameOrRefused, cuts: 40, random: 10},

	{name: "lshpairs", input: "sigs", args: "lshpairs -o o/out i/x", cuts: 40, random: 20},
	{name: "lshpairs-against", input: "sigs", args: "lshpairs --against i/x -o o/out i/sigs", with: []string{"sigs"}, cuts: 20, random: 10},
	{name: "lshkeys", input: "sigs", args: "lshkeys -o o/out i/x", cuts: 40, random: 20},
	{name: "lshkeys-samples", input: "samples", args: "lshkeys -o o/out i/x", cuts: 20, random: 10},
	{name: "simpairs", input: "simhashes", args: "simpairs --within 3 -o o/out i/x", cuts: 40, random: 20},
	{name: "recuniq-against", input: "seen", args: "recuniq --field text --against i/x -o o/out i/few.jsonl", with: []string{"few.jsonl"}, cuts: 30, random: 15},
	{name: "jaccard-sigs", input: "sigs", args: "jaccard --sigs i/x -o o/out i/pairs", with: []string{"pairs"}, cuts: 20, random: 10},
	{name: "keypairs", input: "keys", args: "keypairs -o o/out i/x", cuts: 40, random: 20},
	{name: "jaccard", input: "pairs", args: "jaccard --records i/few.jsonl -o o/out i/x", with: []string{"few.jsonl"}, cuts: 40, random: 20},
	{name: "matchsub", input: "pairs", args: "matchsub --records i/few.jsonl -o o/out i/x", with: []string{"few.jsonl"}, cuts: 20, random: 10},
	{name: "dupgroup", input: "scored", args: "dupgroup --cut 0.8 -o o/out i/x", cuts: 40, random: 20},
	{name: "keepdrop-decisions", input: "decisions", args: "keepdrop --decisions i/x --stats o/stats -o o/out i/few.jsonl", with: []string{"few.jsonl"}, check: ofFew, cuts: 40, random: 20},
	{name: "fuzzyseen-cache", input: "cache", args: "fuzzyseen -f i/x", check: cacheOrRefused, cuts: 40, random: 20},
	{name: "fuzzyseen-sums", input: "sums", args: "fuzzyseen -f o/cache", check: cacheOrRefused, cuts: 20, random: 10},
	{name: "fuzzysum-mail", input: "mail", args: "fuzzysum --mime --attachments hash -o o/out i/x", cuts: 40, random: 20},
	{name: "fuzzysum-mbox", input: "mbox", args: "fuzzysum --mime --mbox -o o/out i/x", cuts: 20, random: 10},
	{name: "key", input: "key", args: "blockhash --hash highway --key i/x -o o/out i/few.jsonl", with: []string{"few.jsonl"}, cuts: 32, random: 3},
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

// inputTrials are every cut and every flip for each reader.
func inputTrials() (trials []trial) {
	for _, rd := range allReaders() {
		for i := range rd.cuts {
			trials = append(trials, rd.trial(cut(i, rd.cuts), 0))
		}
		for _, m := range flips {
			for i := range rd.random {
				trials = append(trials, rd.trial(m, i))
			}
		}
	}
	return trials
}

func (rd reader) trial(m mutation, i int) trial {
	return trial{fmt.Sprintf("input/%s/%s/%02d", rd.name, m.name, i), func(r *room) error { return rd.read(r, m) }}
}

// read hands a harmed input to the tool.
func (rd reader) read(r *room, m mutation) error {
	harmed := m.apply(r.rand, append([]byte{}, r.input(rd.input)...))
	err := errors.Join(r.bring(rd.with...), r.write("i/x", harmed), r.write("o/out", []byte(old)))
	if err != nil {
		return err
	}
	c := command{args: strings.Fields(rd.args), most: 2 << 10}
	if strings.HasPrefix(rd.name, "fuzzyseen-cache") {
		c.stdin = slow(r.input("manysums"))
	} else if rd.args[:9] == "fuzzyseen" {
		c.stdin = slow(harmed)
	}
	return rd.judge(r, r.run(c), harmed)
}

// twiceNamed is a message that names its file two times.
var twiceNamed = regexp.MustCompile(`(?m)^[^:]*: i/x:.*\bi/x\b.*$`)

// judge holds a run to what holds for all readers: whatever ended it, nothing
// of it is left, and a run that stopped has written nothing.
func (rd reader) judge(r *room, o outcome, harmed []byte) error {
	err := r.only("o", []string{"out", "stats", "cache"}, false)
	if line := twiceNamed.FindString(o.stderr); line != "" {
		err = errors.Join(err, fmt.Errorf("the file stands twice in a message: %s", line))
	}
	if o.status == 2 && o.stderr == "" {
		err = errors.Join(err, errors.New("status 2 without a message"))
	}
	if o.status != 0 && !strings.Contains(rd.args, " -k ") && r.read("o/out") != old {
		err = errors.Join(err, fmt.Errorf("status %d, and the output is replaced: %s", o.status, firstLines(o.stderr, 1)))
	}
	if rd.check != nil {
		err = errors.Join(err, rd.check(r, o, harmed))
	}
	return err
}
