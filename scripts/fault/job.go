//go:build linux

package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
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
	under  string   // the stages of a chain
	some   bool     // files that cannot be read are reported and left out, with status 2
	oracle func(r *room) error
}

// jobs are all of them.
func jobs() []job { return slices.Concat(chains, stages) }

// An undisturbed run is what a job writes when nobody disturbs it.
type undisturbed struct {
	sums  map[string]string // of its files
	sizes map[string]int
	took  time.Duration
}

// setUp brings the inputs and puts an old file where each output will be.
func (j job) setUp(r *room) error {
	return errors.Join(r.bring(j.inputs...), j.putOld(r))
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
	c := command{args: with(strings.Fields(j.args), more...)}
	if j.stdin != "" {
		c.stdin = slow(r.input(j.stdin))
	}
	return c
}

// with puts options behind the name of a tool, or of a command of doppel.
func with(words []string, more ...string) []string {
	at := 1
	if words[0] == "doppel" {
		at = 2
	}
	return slices.Insert(slices.Clone(words), at, more...)
}

// harmed runs a job, whose files are old, with a harm.
func (j job) harmed(r *room, h harm) (*undisturbed, outcome, error) {
	u, err := r.ready(j)
	if err != nil {
		return nil, outcome{}, err
	}
	o, err := h(r, j.command(r), u.took)
	return u, o, err
}

// ready sets a job up, and returns what it writes undisturbed.
func (r *room) ready(j job) (*undisturbed, error) {
	u, err := r.expected(j)
	if err != nil {
		return nil, err
	}
	return u, j.setUp(r)
}

// expected returns what a job writes undisturbed, from one run of it.
func (r *room) expected(j job) (*undisturbed, error) {
	return remembered(r.world, j.name, j.observe)
}

func (j job) observe(r *room) (*undisturbed, error) {
	if err := j.setUp(r); err != nil {
		return nil, err
	}
	r.run(j.command(r)) // once to warm the caches
	o := r.run(j.command(r))
	if err := errors.Join(o.succeeded(), r.broken); err != nil {
		return nil, fmt.Errorf("undisturbed: %w", err)
	}
	u := &undisturbed{sums: map[string]string{}, sizes: map[string]int{}, took: o.wall}
	for _, f := range j.files {
		u.sums[f], u.sizes[f] = sum(r.read("o/"+f)), len(r.read("o/"+f))
	}
	if j.oracle != nil {
		return u, j.oracle(r)
	}
	return u, nil
}

func sum(s string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(s))) }
