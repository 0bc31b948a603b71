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
	under  string   // the stages of a chain
	some   bool     // files that cannot be read are reported and left out, with status 2
	oracle func(r *room, o outcome) error
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
