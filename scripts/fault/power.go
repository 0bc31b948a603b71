//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// forms are jobs that write other forms of outputs, and more of them.
var forms = []job{
	{name: "gz", args: "reccat -o o/out.gz i/many.jsonl", inputs: []string{"many.jsonl"}, files: []string{"out.gz"}},
	{name: "zst", args: "reccat -o o/out.zst i/many.jsonl", inputs: []string{"many.jsonl"}, files: []string{"out.zst"}},
	{name: "parquet", args: "reccat -o o/out.parquet i/many.jsonl", inputs: []string{"many.jsonl"}, files: []string{"out.parquet"}},
	{name: "fuzzy-all", args: "doppel fuzzy --stats none --removed o/removed.zst --save o/sigs.gz --decisions o/decisions --groups o/groups -o o/out.zst i/many.jsonl",
		inputs: []string{"many.jsonl"}, files: []string{"out.zst", "removed.zst", "sigs.gz", "decisions", "groups"}},
	{name: "fuzzy-to-parquet", args: "doppel fuzzy --stats none --removed o/removed -o o/out.parquet i/many.parquet",
		inputs: []string{"many.parquet"}, files: []string{"out.parquet", "removed"}},
	{name: "exact-told", args: "doppel exact --stats none --field text --removed o/removed --report o/page.html -o o/out i/many.jsonl",
		inputs: []string{"many.jsonl"}, files: []string{"out", "removed", "page.html"}},
	{name: "in-place", args: "recuniq -o o/out o/out", files: []string{"out"}},
	{name: "lshkeys-parts", args: "lshkeys --parts 3 --into o/%.zst i/manysigs", inputs: []string{"manysigs"}, files: []string{"0.zst", "1.zst", "2.zst"}},
	{name: "recsieve", args: "recsieve --decisions o/decisions --stats o/stats -o o/out i/many.jsonl",
		inputs: []string{"many.jsonl"}, files: []string{"out", "decisions", "stats"}},
	{name: "files-page", args: "doppel files --cache o/cache --report o/page.html -o o/out -r i/tree", inputs: []string{"tree"}, files: []string{"out", "page.html", "cache"}, some: true},
}

// powerTrials cut the power after each system call of a run, by a replay of its trace.
func powerTrials() (trials []trial) {
	for _, j := range slices.Concat(jobs(), forms) {
		if j.name == "files-page" || j.stdin != "" {
			j.oracle = nil
		}
		trials = append(trials, trial{"power/cut/" + j.name, func(r *room) error { return j.cut(r, j.command(r), false) }})
	}
	for _, j := range slices.Concat(chains, forms) {
		trials = append(trials, trial{"power/no-sync/" + j.name, func(r *room) error { return j.cut(r, j.command(r, "--no-sync"), true) }})
	}
	for _, args := range []string{"fuzzy", "exact --field text", "passages --min-left 20"} {
		trials = append(trials,
			trial{"power/make/" + strings.Fields(args)[0], func(r *room) error { return makeCut(r, args, false) }},
			trial{"power/make-no-sync/" + strings.Fields(args)[0], func(r *room) error { return makeCut(r, args, true) }})
	}
	return append(trials, trial{"power/cut/printed", printedCut}, trial{"power/cut/mbox", boxCut}, trial{"power/cut/fuzzyseen-resized", resizeCut})
}

// cut runs a job, whose files are old, and cuts the power after each of its calls. Without
// syncs there are to be none.
func (j job) cut(r *room, c command, unsynced bool) error {
	if j.name == "files-page" { // an old cache must be one
		return errors.Join(r.bring(j.inputs...), r.cutAfter(c, j.outputs, unsynced))
	}
	u, err := r.ready(j)
	if err != nil {
		return err
	}
	return errors.Join(r.cutAfter(c, j.outputs, unsynced), j.allNew(r, u))
}

// outputs returns the files of a job by their names in the room.
func (j job) outputs() (names []string) {
	for _, f := range j.files {
		names = append(names, "o/"+f)
	}
	return names
}

// cutAfter runs a command and replays its calls, with a power cut after each. The outputs
// are named when it has ended.
func (r *room) cutAfter(c command, outputs func() []string, unsynced bool) error {
	if err := mayTrace(); err != nil {
		return notTried{err.Error(), !errors.Is(err, exec.ErrNotFound)}
	}
	d, err := newDisk(r.dir)
	if err != nil {
		return err
	}
	d.cwd = r.path(c.dir)
	if err := r.run(recorded(c, r.path("trace"))).succeeded(); err != nil {
		return err
	}
	trace, err := os.Open(r.path("trace"))
	if err != nil {
		return err
	}
	defer trace.Close()
	calls, err := parseTrace(trace)
	if err != nil {
		return err
	}
	if unsynced {
		return notSynced(calls)
	}
	d.want(outputs()...)
	return d.replay(calls, true)
}

// notSynced returns an error if a call brings something to disk.
func notSynced(calls []call) error {
	for _, c := range calls {
		if strings.Contains(c.name, "sync") {
			return fmt.Errorf("--no-sync, and line %d of the trace is %s of %s", c.end, c.name, c.args[0])
		}
	}
	return nil
}

// printedCut runs the chain that doppel fuzzy prints, whose last stage writes the outputs.
func printedCut(r *room) error {
	j := chains[0]
	u, err := r.ready(j)
	if err != nil {
		return err
	}
	if err := r.sh("doppel fuzzy --print --removed o/removed -o o/out i/many.jsonl > i/chain").succeeded(); err != nil {
		return err
	}
	return errors.Join(r.cutAfter(command{args: []string{"sh", "i/chain"}}, j.outputs, false), j.allNew(r, u))
}

// boxCut takes copies out of a mailbox: each is on disk in the Maildir before the box is
// without it.
func boxCut(r *room) error {
	if err := r.bring("box"); err != nil {
		return err
	}
	c := command{args: strings.Fields("doppel mail --into i/copies --yes i/box")}
	return r.cutAfter(c, func() []string { return append(r.glob("i/copies/new/*"), "i/box") }, false)
}

// resizeCut gives a cache of fuzzyseen another size: a new file takes its place.
func resizeCut(r *room) error {
	if err := r.run(tellSums(r, "o/cache")).succeeded(); err != nil {
		return err
	}
	c := command{args: strings.Fields("fuzzyseen -D 32K -f o/cache"), stdin: strings.NewReader("")}
	return r.cutAfter(c, func() []string { return []string{"o/cache"} }, false)
}

// makeCut makes what a makefile is for: each target is whole and on disk before it has its
// name. Targets are files, and directories with all that is in them.
func makeCut(r *room, args string, unsynced bool) error {
	if err := r.bring("many.jsonl"); err != nil {
		return err
	}
	more := ""
	if unsynced {
		more = " --no-sync"
	}
	script := "cd o && split -n l/3 ../i/many.jsonl shard. && doppel " + args + " --print=make --parts=2" + more + " shard.* > m.mk && doppel " + args + " --stats none shard.* > ../i/want"
	if err := r.sh(script).succeeded(); err != nil {
		return err
	}
	c := command{args: strings.Fields("make -s -f m.mk"), dir: "o"}
	err := r.cutAfter(c, func() []string {
		return r.glob("o/doppel.work/{keys,texts}/*", "o/doppel.work/{bins,split,decisions}", "o/doppel.work/{pairs,met,scores}/*", "o/doppel.work/plan", "o/kept/*")
	}, unsynced)
	return errors.Join(err, r.sh("cat o/kept/* | cmp - i/want").succeeded())
}

// glob returns the names that patterns of the shell mean in the room.
func (r *room) glob(patterns ...string) []string {
	c := exec.Command("bash", "-c", "shopt -s nullglob; for f in "+strings.Join(patterns, " ")+"; do [ ! -e $f ] || echo $f; done")
	c.Dir = r.dir
	out, _ := c.Output()
	return strings.Fields(string(out))
}
