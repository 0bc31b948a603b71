//go:build linux

package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

// A job is a run of a tool as people use it, whose result is known: that of an
// undisturbed run, which was looked at by an oracle where there is one.
type job struct {
	name   string
	args   string   // words with spaces between them
	inputs []string // brought into i
	files  []string // written to o
	stdin  string   // an input that it reads through a pipe
	some   bool     // files that cannot be read are reported and left out, with status 2
	oracle func(r *room, o outcome) error
}

// chains are the jobs that write files: those that people kill.
var chains = []job{
	{name: "fuzzy", args: "doppel fuzzy --stats none --removed o/removed -o o/out i/many.jsonl",
		inputs: []string{"many.jsonl"}, files: []string{"out", "removed"}, oracle: fuzzyOracle},
	{name: "fuzzy-stdin", args: "doppel fuzzy --stats none --mem 1M -o o/out",
		stdin: "many.jsonl", files: []string{"out"}, oracle: fuzzyOracle},
	{name: "fuzzy-parquet", args: "doppel fuzzy --stats none -o o/out i/many.parquet",
		inputs: []string{"many.parquet"}, files: []string{"out"}},
	{name: "exact", args: "doppel exact --stats none --field text -o o/out i/many.jsonl",
		inputs: []string{"many.jsonl"}, files: []string{"out"}, oracle: exactOracle},
	{name: "files", args: "doppel files -o o/out -r i/tree", inputs: []string{"tree"}, files: []string{"out"}, some: true, oracle: filesOracle},
	{name: "shared", args: "doppel shared -o o/out i/tree", inputs: []string{"tree"}, files: []string{"out"}},
	{name: "pipeline", args: "doppel pipeline --stats none -c i/steps.yaml -o o/out i/many.jsonl",
		inputs: []string{"many.jsonl", "steps.yaml"}, files: []string{"out"}, oracle: fuzzyOracle},
	{name: "keepdrop", args: "keepdrop --decisions i/manydecisions --removed o/removed --stats o/stats -o o/out i/many.jsonl",
		inputs: []string{"many.jsonl", "manydecisions"}, files: []string{"out", "removed", "stats"}, oracle: fuzzyOracle},
	{name: "recuniq", args: "recuniq --field text --against i/seen --save o/new -o o/out i/many.jsonl",
		inputs: []string{"many.jsonl", "seen"}, files: []string{"out", "new"}, oracle: exactOracle},
	{name: "recuniq-spill", args: "recuniq --field text --mem 64K --save o/new -o o/out i/many.jsonl",
		inputs: []string{"many.jsonl"}, files: []string{"out", "new"}, oracle: exactOracle},
}

// stages are the other tools, one run each.
var stages = []job{
	{name: "recsign", args: "recsign -o o/out i/many.jsonl", inputs: []string{"many.jsonl"}, files: []string{"out"}},
	{name: "recsign-simhash", args: "recsign -m simhash -o o/out i/many.jsonl", inputs: []string{"many.jsonl"}, files: []string{"out"}},
	{name: "recsign-files", args: "recsign -m sample --files -o o/out i/names", inputs: []string{"names"}, files: []string{"out"}},
	{name: "lshkeys", args: "lshkeys -o o/out i/manysigs", inputs: []string{"manysigs"}, files: []string{"out"}},
	{name: "lshpairs", args: "lshpairs --mem 1M -o o/out i/manysigs", inputs: []string{"manysigs"}, files: []string{"out"}},
	{name: "keypairs", args: "keypairs --mem 1M -o o/out i/keys", inputs: []string{"keys"}, files: []string{"out"}},
	{name: "simpairs", args: "simpairs --within 3 -o o/out i/simhashes", inputs: []string{"simhashes"}, files: []string{"out"}},
	{name: "jaccard", args: "jaccard --mem 1M --records i/many.jsonl -o o/out i/manypairs",
		inputs: []string{"many.jsonl", "manypairs"}, files: []string{"out"}},
	{name: "dupgroup", args: "dupgroup --mem 1M --cut 0.8 -o o/out i/manyscored", inputs: []string{"manyscored"}, files: []string{"out"}},
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

// jobs are all of them.
func jobs() []job { return append(append([]job{}, chains...), stages...) }

// An undisturbed run is what a job writes when nobody disturbs it.
type undisturbed struct {
	once  sync.Once
	sums  map[string]string // of its files
	sizes map[string]int
	took  time.Duration
	err   error
}

// setUp brings the inputs and puts an old file where each output will be.
func (j job) setUp(r *room) error {
	if err := r.bring(j.inputs...); err != nil {
		return err
	}
	if err := j.linkTree(r); err != nil {
		return err
	}
	return j.putOld(r)
}

// linkTree brings the tree that a list of names means.
func (j job) linkTree(r *room) error {
	if len(j.inputs) == 1 && j.inputs[0] == "names" {
		return errors.Join(r.bring("tree"), r.write("i/names", []byte("i/"+strings.TrimSuffix(strings.ReplaceAll(r.read("i/names"), "\n", "\ni/"), "i/"))))
	}
	return nil
}

// front tells whether a job is a chain of processes.
func (j job) front() bool { return strings.HasPrefix(j.args, "doppel ") }

const old = "OLD\n"

func (j job) putOld(r *room) (err error) {
	for _, f := range j.files {
		err = errors.Join(err, r.write("o/"+f, []byte(old)))
	}
	return err
}

// command returns the run of a job, with more options if any.
func (j job) command(r *room, more ...string) command {
	words := strings.Fields(j.args)
	c := command{args: words}
	if len(more) > 0 {
		at := 1
		if words[0] == "doppel" {
			at = 2
		}
		c.args = append(append(append([]string{}, words[:at]...), more...), words[at:]...)
	}
	if j.stdin != "" {
		c.stdin = slow(r.input(j.stdin))
	}
	return c
}

// expected returns what a job writes undisturbed, from one run of it.
func (r *room) expected(j job) (*undisturbed, error) {
	v, _ := r.world.undisturbed.LoadOrStore(j.name, &undisturbed{})
	u := v.(*undisturbed)
	u.once.Do(func() { u.err = u.observe(r.world, j) })
	return u, u.err
}

func (u *undisturbed) observe(w *world, j job) error {
	r, err := w.newRoom("undisturbed/" + j.name)
	if err != nil {
		return err
	}
	defer r.close(false)
	if err := j.setUp(r); err != nil {
		return err
	}
	r.run(j.command(r)) // once to warm the caches
	o := r.run(j.command(r))
	if o.status != 0 || r.broken != nil {
		return fmt.Errorf("undisturbed: status %d: %s", o.status, errors.Join(errors.New(o.stderr), r.broken))
	}
	u.took, u.sums, u.sizes = o.wall, map[string]string{}, map[string]int{}
	for _, f := range j.files {
		u.sums[f], u.sizes[f] = sum(r.read("o/"+f)), len(r.read("o/"+f))
	}
	if j.oracle != nil {
		return j.oracle(r, o)
	}
	return nil
}

func sum(s string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(s))) }
