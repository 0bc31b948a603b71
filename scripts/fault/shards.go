//go:build linux

package main

import (
	"fmt"
	"strings"
)

// orders is in how many orders each of the inputs below is read.
const orders = 20

// unordered are runs whose input may stand in any order; $MIX puts it in one. The id
// that came first stands first in a pair of simpairs.
var unordered = []struct{ name, inputs, script string }{
	{"lshkeys", "manysigs", "$MIX i/manysigs | lshkeys | sort"},
	{"lshpairs", "manysigs", "$MIX i/manysigs | lshpairs | sort"},
	{"simpairs", "simhashes", "$MIX i/simhashes | simpairs --within 3 | awk -v OFS='\\t' '$1 > $2 { t = $1; $1 = $2; $2 = t } { print }' | sort"},
	{"jaccard", "many.jsonl manypairs", "$MIX i/manypairs | jaccard --records i/many.jsonl | sort"},
	{"jaccgroup", "many.jsonl manypairs", "$MIX i/manypairs | jaccgroup -t 0.8 --records i/many.jsonl"},
	{"jaccgroup-spill", "many.jsonl manypairs", "$MIX i/manypairs | jaccgroup -t 0.8 --mem 64K --records i/many.jsonl"},
	{"dupgroup", "manyscored", "$MIX i/manyscored | dupgroup --cut 0.8"},
	{"dupgroup-spill", "manyscored", "$MIX i/manyscored | dupgroup --mem 64K --cut 0.8"},
	{"components", "manyscored", "$MIX i/manyscored | dupgroup --policy components --cut 0.8"},
	{"keepdrop", "many.jsonl manydecisions", "$MIX i/manydecisions > i/d; keepdrop --decisions i/d i/many.jsonl"},
	{"exact", "many.jsonl", "$MIX i/many.jsonl | doppel exact --stats none --field text | jq -c .text | sort"},
	{"count", "many.jsonl", "$MIX i/many.jsonl | doppel count"},
	{"recsign-shards", "many.jsonl", "split -n l/4 i/many.jsonl i/s.; recsign -H $(ls i/s.* | $MIX) | sort"},
	{"lshpairs-shards", "many.jsonl", "split -n l/4 i/many.jsonl i/s.; for s in i/s.*; do recsign -H $s > $s.sig; done; lshpairs $(ls i/*.sig | $MIX) | sort"},
}

// orderTrials read the same in several orders.
func orderTrials() (trials []trial) {
	for _, u := range unordered {
		for i := range orders {
			trials = append(trials, trial{fmt.Sprintf("same/order/%s/%02d", u.name, i), func(r *room) error {
				return mixed(r, u.inputs, u.script, i)
			}})
		}
	}
	return trials
}

func mixed(r *room, inputs, script string, i int) error {
	if err := r.bring(strings.Fields(inputs)...); err != nil {
		return err
	}
	run := func(mix string) outcome {
		return r.run(command{args: []string{"bash", "-c", "set -o pipefail; " + strings.ReplaceAll(script, "$MIX", mix)}})
	}
	want := run("cat")
	if want.status != 0 || want.stdout == "" {
		return fmt.Errorf("in its own order: status %d: %s", want.status, firstLines(want.stderr, 2))
	}
	return run(fmt.Sprintf("shuf --random-source=<(yes %d)", i)).wants(0, want.stdout)
}
