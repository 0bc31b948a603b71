//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// listers are commands that write names; only how many lines they write, and
// what else stands in them, does not depend on those.
var listers = []struct{ name, args string }{
	{"files", "doppel files -r -- %s"},
	{"shared", "doppel shared --scores -- %s"},
	{"blockhash", "blockhash --bare -r -- %s"},
	{"text", "printf '%%s\\0' %s/* | doppel text -0"},
	{"recsign-files", "printf '%%s\\0' %s/* | recsign --files -0 | cut -f 2-"},
	{"shared-print", "doppel shared --scores --print -- %s > ../o/print && bash ../o/print; s=$?; rm ../o/print; exit $s"},
}

// writers are commands with -o.
var writers = []struct{ name, args string }{
	{"recuniq", "recuniq"},
	{"doppel-fuzzy", "doppel fuzzy --stats none"},
	{"doppel-exact", "doppel exact --stats none"},
	{"keepdrop", "keepdrop --decisions decisions"},
}

// outputTrials use each name as that of an output, of a list, and of a
// directory of files.
func outputTrials() (trials []trial) {
	for i, name := range names {
		for _, l := range listers {
			trials = append(trials, trial{fmt.Sprintf("operand/tree/%s/%02d", l.name, i), func(r *room) error { return listed(r, l.args, name) }})
		}
		for _, w := range writers {
			trials = append(trials, trial{fmt.Sprintf("operand/output/%s/%02d", w.name, i), func(r *room) error { return writes(r, w.args, name) }})
		}
	}
	return trials
}

func listed(r *room, args, name string) error {
	err := r.bring("tree")
	for _, copied := range []string{"0", "1"} { // so that files share something
		err = errors.Join(err, r.write("i/tree/d1/copy"+copied, []byte(r.read("i/tree/d1/f001"))))
	}
	if err != nil {
		return err
	}
	script := func(dir string) string { return "cd i && " + fmt.Sprintf(args, quoted(dir)) }
	want := r.sh(script("tree/d1"))
	if err := os.Rename(r.path("i/tree/d1"), r.path("i/"+name)); err != nil {
		return notTried{why: err.Error()}
	}
	got := r.sh(script(name))
	if got.status != want.status || strings.Count(got.stdout, "\n") != strings.Count(want.stdout, "\n") {
		err = fmt.Errorf("status %d with %d lines, not %d with %d: %s", got.status, strings.Count(got.stdout, "\n"),
			want.status, strings.Count(want.stdout, "\n"), firstLines(got.stderr, 2))
	}
	return errors.Join(want.tells(""), err)
}

// writes gives a name to -o, attached to it, as an option that begins with -
// must be.
func writes(r *room, args, name string) error {
	if err := r.bring("few.jsonl", "decisions"); err != nil {
		return err
	}
	want := r.run(command{args: append(strings.Fields(args), "few.jsonl"), dir: "i"})
	before := r.snapshot("i")
	got := r.run(command{args: append(strings.Fields(args), "--output="+name, "few.jsonl"), dir: "i"})
	written := r.read("i/" + name)
	os.Remove(r.path("i/" + name))
	err := errors.Join(want.tells(""), got.wants(0, ""), changedFiles(before, r.snapshot("i")))
	if !strings.HasSuffix(name, ".gz") && !strings.HasSuffix(name, ".parquet") {
		err = errors.Join(err, equal("output", written, want.stdout))
	}
	return err
}
