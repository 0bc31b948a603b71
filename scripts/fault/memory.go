//go:build linux

package main

import (
	"errors"
	"fmt"
	"strings"
)

// An eater is a tool with --mem, what it reads to fill it, and the overhead
// in MiB that its page states, or that all tools have: the runtime, buffers of
// each thread, batches of lines.
type eater struct {
	name     string
	args     string
	input    func(r *room) []byte
	overhead int
}

const common = 100 // MiB of any tool beside --mem, as doppel(7) says

var eaters = []eater{
	{"recuniq", "recuniq --lines -d -o o/out i/x", manyNumbers, 100},
	{"recuniq-verify", "recuniq --lines --verify -d -o o/out i/x", manyNumbers, 100 + 40}, // 10 bytes a record
	{"recuniq-count", "recuniq --lines -c -o o/out i/x", manyNumbers, 100 + 128},          // 32 bytes a record
	{"lshpairs", "lshpairs -o o/out i/x", signed, common},
	{"lshpairs-hot", "lshpairs -o o/out i/x", alike, common},
	{"keypairs", "keypairs -o o/out i/x", manyKeys, common},
	{"keypairs-unsorted", "keypairs --unsorted -o o/out i/x", manyKeys, common},
	{"simpairs", "simpairs --within 3 -o o/out i/x", manySimhashes, common},
	{"dupgroup", "dupgroup -o o/out i/x", manyPairs, common + 24}, // 24 bytes an id
	{"jaccard", "jaccard --records i/many.jsonl -o o/out i/x", allPairs, common},
	{"jaccgroup", "jaccgroup -t 0.8 --records i/many.jsonl -o o/out i/x", allPairs, common},
	{"recsieve", "recsieve --decisions o/d -o o/out i/x", manyTexts, common},
	{"dupspan", "dupspan --scan --records i/x -o o/out", manyPassages, common},
	{"exact", "doppel exact --stats none --field text -o o/out i/x", manyTexts, common},
	{"passages", "doppel passages --stats none -o o/out i/x", manyPassages, common},
	{"measure", "doppel measure --sample 200 -o o/out i/x", manyTexts, common},
	{"files", "doppel files -o o/out -r i/tree", nothing, common},
	{"fuzzy", "doppel fuzzy --stats none -o o/out i/x", manyTexts, common},
	{"groups", "doppel groups -o o/out i/x", manyTexts, common},
	{"cut", "doppel cut --stats none --scores i/pairs -o o/out i/x", scoredTexts, common},
	{"audit", "doppel audit --decisions i/none --scores i/scores -o i/x i/x", auditedTexts, common},
	{"dirs", "doppel dirs -o o/out i/tree", nothing, common},
	{"dupreport", "dupreport --records i/x --decisions i/decisions --scores i/pairs -o o/out", decidedTexts, common},
}

// memoryTrials run each tool at several --mem, and everything with few
// descriptors, little address space and few processes.
func memoryTrials() (trials []trial) {
	for _, e := range eaters {
		for _, mib := range []int{1, 16, 64} {
			trials = append(trials, trial{fmt.Sprintf("memory/mem/%s/%dM", e.name, mib), func(r *room) error { return e.within(r, mib) }})
		}
	}
	for _, j := range jobs() {
		for _, limit := range []string{"--nofile=8", "--nofile=12", "--nofile=16", "--nofile=32", "--nofile=64", "--as=1073741824", "--as=2147483648", "--stack=65536", "--nproc=0"} {
			trials = append(trials, trial{fmt.Sprintf("memory/limit/%s/%s", j.name, strings.TrimPrefix(limit, "--")), func(r *room) error { return limited(r, j, limit) }})
		}
	}
	return append(trials, cgroupTrials()...)
}

// within holds the peak of a run to 1.4 times --mem, since the collector keeps
// two fifths, and the overhead.
func (e eater) within(r *room, mib int) error {
	c, err := e.command(r, mib)
	if err != nil {
		return err
	}
	o := r.measured(c)
	promised := mib*14/10 + e.overhead
	r.note("memory", e.name, fmt.Sprintf("%dM", mib), fmt.Sprintf("%d MiB", len(r.read("i/x"))>>20), fmt.Sprint(o.peak), fmt.Sprint(promised), fmt.Sprint(o.peak <= promised))
	if err := o.succeeded(); err != nil {
		return err
	}
	if o.peak > promised {
		return fmt.Errorf("%d MiB at --mem %dM, where %d are promised", o.peak, mib, promised)
	}
	return nil
}

// command brings what an eater reads, and returns its run at so much.
func (e eater) command(r *room, mib int) (command, error) {
	if strings.HasSuffix(e.args, "i/tree") {
		r.breaks(r.bring("tree"))
	}
	if err := errors.Join(r.bring("many.jsonl"), r.write("i/x", e.input(r))); err != nil {
		return command{}, err
	}
	return command{args: with(strings.Fields(e.args), fmt.Sprintf("--mem=%dM", mib))}, nil
}

// limited runs a job under prlimit(1): all or nothing comes of it.
func limited(r *room, j job, limit string) error {
	u, o, err := j.harmed(r, wrapped("prlimit", limit))
	if err != nil {
		return err
	}
	if o.status == 1 && strings.Contains(o.stderr, "prlimit") {
		return notTried{o.stderr, true}
	}
	return errors.Join(j.whole(r, u, o, false), r.only("o", j.files, false))
}
