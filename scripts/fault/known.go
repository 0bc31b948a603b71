//go:build linux

package main

import (
	"fmt"
	"strings"
)

// A fault is one that was found from outside in an earlier build. The script
// is run by bash in a room with i and o; PATH has the tools. It holds if it
// ends with the status and writes what is wanted.
type fault struct {
	number string
	about  string
	inputs string
	script string
	status int
	want   string
}

// lost are the faults that lose or overwrite data: severity 1.
var lost = []fault{
	{"1.1", "stdin after a file", "n1 n2", `cat i/n2 | doppel fuzzy --stats none i/n1 - | wc -l`, 0, "48\n"},
	{"1.1", "stdin before a file", "n1 n2", `cat i/n2 | doppel fuzzy --stats none - i/n1 | wc -l`, 0, "48\n"},
	{"1.1", "stdin after a file, pipeline", "n1 n2 fuzzy.yaml", `cat i/n2 | doppel pipeline --stats none -c i/fuzzy.yaml i/n1 - | wc -l`, 0, "48\n"},
	{"1.2", "process substitution", "uniq.jsonl", `echo PRECIOUS > o/out; doppel fuzzy --stats none -o o/out <(cat i/uniq.jsonl) && wc -l < o/out`, 0, "48\n"},
	{"1.2", "/dev/stdin, a pipe", "uniq.jsonl", `cat i/uniq.jsonl | doppel fuzzy --stats none /dev/stdin | wc -l`, 0, "48\n"},
	{"1.2", "/dev/stdin, a file", "uniq.jsonl", `doppel fuzzy --stats none /dev/stdin < i/uniq.jsonl | wc -l`, 0, "48\n"},
	{"1.2", "/dev/fd/3", "uniq.jsonl", `doppel fuzzy --stats none /dev/fd/3 3< i/uniq.jsonl | wc -l`, 0, "48\n"},
	{"1.2", "with duplicates", "few.jsonl", `doppel fuzzy --stats none <(cat i/few.jsonl) | wc -l`, 0, "48\n"},
	{"1.2", "FIFO", "uniq.jsonl", `mkfifo o/f; cat i/uniq.jsonl > o/f & timeout 30 doppel fuzzy --stats none o/f | wc -l; timeout 1 cat o/f > /dev/null; true`, 0, "48\n"},
	{"1.3", "repeated ids", "", twoIDs + `doppel fuzzy --stats none --id id i/x | sort`, 0,
		`{"id":"a","text":"one two three four five"}` + "\n" + `{"id":"b","text":"six seven eight nine ten"}` + "\n"},
	{"1.3", "a copy of the first of two with one id", "", `printf '{"id":"a","text":"one two three four five"}\n{"id":"a","text":"six seven eight nine ten"}\n{"id":"c","text":"one two three four five"}\n' > i/x; doppel fuzzy --stats none --id id i/x | wc -l`, 0, "2\n"},
	{"1.3", "copies with one id", "", `printf '{"id":1,"text":"one two three four five"}\n{"id":"1","text":"one two three four five"}\n' > i/x; doppel fuzzy --stats none --id id i/x | wc -l`, 0, "1\n"},
	{"1.4", "exact -- -ovictim", "few.jsonl", dashNames + `doppel exact --stats none -- -ovictim < /dev/null | wc -l; cat victim`, 0, "60\nprecious\n"},
	{"1.4", "fuzzy -- t -ovictim", "few.jsonl n1", dashNames + `doppel fuzzy --stats none -- n1 -ovictim | wc -l; cat victim`, 0, "48\nprecious\n"},
	{"1.4", "pipeline -- -ovictim", "few.jsonl fuzzy.yaml", dashNames + `doppel pipeline --stats none -c fuzzy.yaml -- -ovictim | wc -l; cat victim`, 0, "48\nprecious\n"},
	{"1.4", "exact -- --help", "few.jsonl", `cd i; cp few.jsonl ./--help; doppel exact --stats none -- --help | wc -l`, 0, "60\n"},
}

const (
	twoIDs    = `printf '{"id":"a","text":"one two three four five"}\n{"id":"b","text":"six seven eight nine ten"}\n{"id":"a","text":"six seven eight nine ten"}\n' > i/x; `
	dashNames = `cd i; echo precious > victim; cp few.jsonl ./-ovictim; `
)

// broken are crashes, hangs, unbounded memory, broken promises: severity 2.
var broken = []fault{
	{"2.1", "shared -o, a stage fails", "tree", `echo OLD > o/out; for i in 1 2 3 4; do (cat i/tree/d0/f000; echo $i) > i/tree/c$i; done; doppel shared --df 2 --common /dev/full i/tree -o o/out; s=$?; cat o/out; exit $s`, 2, "OLD\n"},
	{"2.2", "keepdrop -o, the list of another dataset", "few.jsonl", `echo OLD > o/out; printf 'drop\t999\t0\t1\tx\n' | keepdrop --decisions - -o o/out i/few.jsonl; s=$?; cat o/out; exit $s`, 2, "OLD\n"},
	{"2.6", "recsign --files of a sparse file", "", `truncate -s 1T i/sp; (ulimit -v 8000000; timeout 60 recsign --files i/sp)`, 2, ""},
	{"2.6", "recsign -m sample --files of a sparse file", "", `truncate -s 1T i/sp; (ulimit -v 8000000; timeout 60 recsign -m sample --files i/sp)`, 2, ""},
	{"2.6", "matchsub of a sparse file", "", `truncate -s 1T i/sp; printf 'i/sp\ti/sp2\n' > i/p; truncate -s 1T i/sp2; (ulimit -v 8000000; timeout 60 matchsub i/p)`, 2, ""},
	{"2.7", "a comma in a name", "few.jsonl uniq.jsonl", `cd i; mv few.jsonl a,b; cp uniq.jsonl a; cp uniq.jsonl b; doppel fuzzy --stats none a,b | wc -l`, 0, "48\n"},
	{"2.7", "a quote in a name", "few.jsonl", `cd i; mv few.jsonl 'a"b.jsonl'; doppel fuzzy --stats none 'a"b.jsonl' | wc -l`, 0, "48\n"},
	{"2.7", `a name "$t"`, "few.jsonl", `cd i; mv few.jsonl '"$t"'; doppel fuzzy --stats none '"$t"' | wc -l`, 0, "48\n"},
	{"2.8", "--field [x], exact", "", bracketed + `doppel exact --stats none --field '[x]' i/x | wc -l`, 0, "2\n"},
	{"2.8", "--field [x], fuzzy", "", bracketed + `doppel fuzzy --stats none --field '[x]' i/x | wc -l`, 0, "2\n"},
	{"2.8", "--field x]", "", `printf '{"x]":"a b c","x":"same"}\n{"x]":"d e f","x":"same"}\n' > i/x; doppel exact --stats none --field 'x]' i/x | wc -l`, 0, "2\n"},
}

const bracketed = `printf '{"[x]":"a b c","x":"same"}\n{"[x]":"d e f","x":"same"}\n' > i/x; `

func knownTrials() (trials []trial) {
	seen := map[string]int{}
	for _, list := range [][]fault{lost, broken, minor} {
		for _, f := range list {
			seen[f.number]++
			trials = append(trials, trial{fmt.Sprintf("known/%s/%d", f.number, seen[f.number]), f.try})
		}
	}
	return append(trials, measuredFaults()...)
}

func (f fault) try(r *room) error {
	if err := r.bring(strings.Fields(f.inputs)...); err != nil {
		return err
	}
	o := r.run(command{args: []string{"bash", "-c", f.script}, most: 2 << 10})
	if err := o.wants(f.status, f.want); err != nil {
		return fmt.Errorf("%s: %w", f.about, err)
	}
	return nil
}
