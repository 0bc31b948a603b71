//go:build linux

package main

import (
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
)

// forms lists further jobs. They write compressed files, Parquet files or several outputs, or
// replace their input.
var forms = []job{
	{name: "gz", args: "reccat -o o/out.gz i/many.jsonl"},
	{name: "zst", args: "reccat -o o/out.zst i/many.jsonl"},
	{name: "parquet", args: "reccat -o o/out.parquet i/many.jsonl"},
	{name: "fuzzy-all", args: "doppel fuzzy --stats none --removed o/removed.zst --save o/sigs.gz --decisions o/decisions --groups o/groups -o o/out.zst i/many.jsonl"},
	{name: "fuzzy-to-parquet", args: "doppel fuzzy --stats none --removed o/removed -o o/out.parquet i/many.parquet"},
	{name: "exact-told", args: "doppel exact --stats none --field text --removed o/removed --report o/page.html -o o/out i/many.jsonl"},
	{name: "in-place", args: "recuniq -o o/out o/out"},
	{name: "lshkeys-parts", args: "lshkeys --parts 3 --into o/keys.zst i/manysigs", files: []string{"keys.zst", "keys.zst.parts"}},
	{name: "recsieve", args: "recsieve --decisions o/decisions --stats o/stats -o o/out i/many.jsonl"},
	{name: "files-page", args: "doppel files --cache o/cache --report o/page.html -o o/out -r i/tree", some: true},
}

// addPower adds cases with a power cut after each system call of a run. The power cuts are
// simulated by replaying a trace of the run.
func addPower(p *plan) {
	for _, j := range slices.Concat(jobs, forms) {
		if j.rule != nil {
			continue
		}
		p.add(func(s *sandbox) error { return j.cutPower(s, j.command(s), false) }, "power/cut/%s", j.name)
		if j.name != "dupreport" { // the page of dupreport shows the options, so it would differ
			p.add(func(s *sandbox) error { return j.cutPower(s, j.command(s, "--no-sync"), true) }, "power/no-sync/%s", j.name)
		}
	}
	for _, args := range []string{"fuzzy", "exact --field text", "passages --min-left 20"} {
		name, _, _ := strings.Cut(args, " ")
		p.add(func(s *sandbox) error { return cutMake(s, args, false) }, "power/make/%s", name)
		p.add(func(s *sandbox) error { return cutMake(s, args, true) }, "power/make-no-sync/%s", name)
	}
	// This case runs the chain that doppel fuzzy prints; the last stage of the chain writes the
	// outputs.
	p.add(func(s *sandbox) error {
		j := findJob("fuzzy")
		ref := j.reference(s)
		j.setUp(s)
		s.must(s.sh("doppel fuzzy --print --removed o/removed -o o/out i/many.jsonl > i/chain").succeeded())
		return errors.Join(s.cutAfter(command{args: []string{"sh", "i/chain"}}, j.outputs, false), j.checkNew(s, ref))
	}, "power/cut/printed")
	// Each copy must be on disk in the Maildir before it is removed from the mailbox.
	p.add(func(s *sandbox) error {
		s.copyInputs("box")
		c := command{args: strings.Fields("doppel mail --into i/copies --yes i/box")}
		return s.cutAfter(c, func() []string { return append(s.glob("i/copies/new/*"), "i/box") }, false)
	}, "power/cut/mbox")
	// When the size of a cache changes, fuzzyseen replaces the cache with a new file.
	p.add(func(s *sandbox) error {
		s.must(s.run(findJob("fuzzyseen").command(s)).succeeded())
		c := command{args: strings.Fields("fuzzyseen -D 32K -f o/cache"), stdin: []byte{}}
		return s.cutAfter(c, func() []string { return []string{"o/cache"} }, false)
	}, "power/cut/fuzzyseen-resized")
}

// cutPower runs a job with old output files and simulates a power cut after each of its system
// calls.
func (j job) cutPower(s *sandbox, c command, unsynced bool) error {
	if j.name == "files-page" { // setUp would write "OLD\n", which is not a valid cache
		s.copyInputs(j.inputs...)
		return s.cutAfter(c, j.outputs, unsynced)
	}
	ref := j.reference(s)
	j.setUp(s)
	return errors.Join(s.cutAfter(c, j.outputs, unsynced), j.checkNew(s, ref))
}

// outputs returns the names of a job's output files, relative to the sandbox.
func (j job) outputs() (names []string) {
	for _, f := range j.files {
		names = append(names, "o/"+f)
	}
	return names
}

// cutAfter runs a command and replays its system calls, with a power cut after each. It calls the
// given function after the command has ended, and checks the outputs that the function names. If
// unsynced is set, cutAfter replays nothing and only checks that no call syncs.
func (s *sandbox) cutAfter(c command, outputs func() []string, unsynced bool) error {
	s.must(mayTrace())
	d, err := newDisk(s.dir)
	s.must(err)
	d.cwd = s.path(c.dir)
	c.wrap = []string{"strace", "-f", "-qq", "-y", "-s", "0", "--seccomp-bpf", "-o", s.path("trace"), "-e", "trace=" + recordedCalls, "-e", "signal=none"}
	s.must(s.run(c).succeeded())
	calls, err := parseTrace(strings.NewReader(s.read("trace")))
	s.must(err)
	for _, c := range calls {
		if unsynced && strings.Contains(c.name, "sync") {
			return fmt.Errorf("--no-sync, but line %d of the trace is %s of %s", c.end, c.name, c.args[0])
		}
	}
	if unsynced {
		return nil
	}
	d.want(outputs()...)
	return d.replay(calls, true)
}

// cutMake runs the makefile that doppel prints for the given args, and replays the system calls.
// Each target, a file or a directory with all its files, must be complete and on disk before it
// is given its name.
func cutMake(s *sandbox, args string, unsynced bool) error {
	s.copyInputs("many.jsonl")
	more := ""
	if unsynced {
		more = " --no-sync"
	}
	s.must(s.sh("cd o && split -n l/3 ../i/many.jsonl shard. && doppel " + args + " --print=make --parts=2 --batch=1" + more + " shard.* > m.mk && doppel " + args + " --stats none shard.* > ../i/want").succeeded())
	c := command{args: strings.Fields("make -s -f m.mk"), dir: "o"}
	err := s.cutAfter(c, func() []string {
		return s.glob("o/doppel.work/{keys,texts}/*", "o/doppel.work/{bins,split,decisions}", "o/doppel.work/{pairs,met,scores}/*", "o/doppel.work/plan", "o/kept/*")
	}, unsynced)
	return errors.Join(err, s.sh("cat o/kept/* | cmp - i/want").succeeded())
}

// glob returns the existing files of the sandbox that match the shell patterns.
func (s *sandbox) glob(patterns ...string) []string {
	c := exec.Command("bash", "-c", "shopt -s nullglob; for f in "+strings.Join(patterns, " ")+"; do [ ! -e $f ] || echo $f; done")
	c.Dir = s.dir
	out, _ := c.Output()
	return strings.Fields(string(out))
}
