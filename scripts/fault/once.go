//go:build linux

package main

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// A way hands over what can be read once: $IN is the file, and before stands
// before the command.
type way struct{ name, before, operand string }

var onces = []way{
	{"stdin", "cat $IN |", "-"},
	{"stdin-file", "", "- < $IN"},
	{"process", "", "<(cat $IN)"},
	{"dev-stdin", "cat $IN |", "/dev/stdin"},
	{"dev-stdin-file", "", "/dev/stdin < $IN"},
	{"dev-fd-file", "", "/dev/fd/3 3< $IN"},
	{"dev-fd-pipe", "", "/dev/fd/3 3< <(cat $IN)"},
	{"dev-fd-9", "", "/dev/fd/9 9< <(cat $IN)"},
	{"proc-fd", "", "/proc/self/fd/3 3< <(cat $IN)"},
	{"fifo", "mkfifo o/fifo; cat $IN > o/fifo &", "o/fifo"},
}

// onceTakers read a dataset.
var onceTakers = []struct{ name, args string }{
	{"fuzzy", "doppel fuzzy --stats none"},
	{"fuzzy-rank", "doppel fuzzy --stats none --rank longest"},
	{"fuzzy-id", "doppel fuzzy --stats none --id id"},
	{"exact", "doppel exact --stats none --field text"},
	{"exact-verify", "doppel exact --stats none --verify"},
	{"pipeline", "doppel pipeline --stats none -c i/steps.yaml"},
	{"pipeline-fuzzy", "doppel pipeline --stats none -c i/fuzzy.yaml"},
	{"filter", "doppel filter --stats none -c i/filters.yaml"},
	{"passages", "doppel passages --stats none --length 50"},
	{"groups", "doppel groups"},
	{"count", "doppel count"},
	{"inspect", "doppel inspect -n 100"},
	{"measure", "doppel measure --no-progress --sample 20"},
	{"recuniq", "recuniq"},
	{"recsign", "recsign"},
	{"reccat", "reccat"},
	{"recfilter", "recfilter --preset default --apply"},
	{"keepdrop", "keepdrop --drop i/two"},
	{"fuzzy-print", "print doppel fuzzy --print"},
	{"passages-print", "print doppel passages --length 50 --print"},
	{"groups-print", "print doppel groups --print"},
}

// places are where the operand stands among files; the same bytes come from
// files alone.
var places = []struct{ name, operands, plain string }{
	{"alone", "%s", "$IN"},
	{"first", "i/n1 %s", "i/n1 $IN"},
	{"last", "%s i/n1", "$IN i/n1"},
	{"between", "i/n1 %s i/uniq.jsonl", "i/n1 $IN i/uniq.jsonl"},
}

func onceTrials() (trials []trial) {
	for _, t := range onceTakers {
		for _, w := range waysFor(t.args) {
			for _, p := range places {
				name := fmt.Sprintf("operand/once/%s/%s/%s", t.name, w.name, p.name)
				trials = append(trials, trial{name, func(r *room) error { return once(r, t.args, w.before, w.operand, p.operands, p.plain) }})
			}
		}
		trials = append(trials, trial{"operand/once/" + t.name + "/stdin/twice", func(r *room) error { return stdinTwice(r, t.args) }})
	}
	return trials
}

// waysFor leaves out what is gone before a printed chain is pasted.
func waysFor(args string) []way {
	if strings.HasPrefix(args, "print ") {
		return onces[:1]
	}
	return onces
}

// once holds a command on what can be read once to the same on files. An input
// that is refused is not lost.
func once(r *room, args, before, operand, operands, plain string) error {
	if err := r.datasets(); err != nil {
		return err
	}
	want := r.sh(withInput(args, "", plain))
	got := r.run(command{args: []string{"bash", "-c", withInput(args, before, fmt.Sprintf(operands, operand))}, limit: 30 * time.Second})
	return errors.Join(want.tells(""), got.wants(want.status, want.stdout))
}

// datasets brings what the takers read.
func (r *room) datasets() error {
	return errors.Join(r.bring("few.jsonl", "n1", "uniq.jsonl", "steps.yaml", "filters.yaml", "fuzzy.yaml"), r.write("i/two", []byte("3\n5\n")))
}

// withInput returns the script of a command with its operands.
func withInput(args, before, operands string) string {
	args, print := strings.CutPrefix(args, "print ")
	text := "IN=i/few.jsonl; " + before + " " + args + " " + operands
	if print {
		return strings.Replace(text, args+" "+operands, "bash -c \"$("+args+" "+operands+")\"", 1)
	}
	return text
}

// stdinTwice names standard input two times. The second one is empty, as it is
// for cat, or it is refused.
func stdinTwice(r *room, args string) error {
	if err := r.datasets(); err != nil {
		return err
	}
	want := r.sh(withInput(args, "", "$IN"))
	got := r.sh(withInput(args, "cat $IN |", "- -"))
	if got.status == 2 && got.stdout == "" && got.stderr != "" || strings.Contains(got.stderr, "named twice") {
		return nil // of --print there is no text then, which a shell takes for nothing to do
	}
	return errors.Join(want.tells(""), got.wants(want.status, want.stdout))
}
