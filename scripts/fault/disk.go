//go:build linux

package main

import (
	"errors"
	"fmt"
	"strings"
)

// diskTrials fill the disk of the output, of $TMPDIR and of both, write to
// /dev/full, limit the size of files, and let system calls fail.
func diskTrials() (trials []trial) {
	for _, j := range jobs() {
		trials = append(trials, fullTrials(j)...)
		trials = append(trials, limitTrials(j)...)
		trials = append(trials, callTrials(j)...)
		trials = append(trials, trial{"disk/devfull/" + j.name, func(r *room) error { return devFull(r, j) }})
	}
	return append(append(trials, cacheTrials()...), journalDisks()...)
}

// steps of the sweeps over sizes.
const diskSteps = 12

// fullTrials sweep the size of the tmpfs on which o, or t, lies.
func fullTrials(j job) (trials []trial) {
	for i := range diskSteps {
		for _, dir := range []string{"o", "t"} {
			trials = append(trials, trial{
				fmt.Sprintf("disk/full-%s/%s/%02d", dir, j.name, i),
				func(r *room) error { return fullDisk(r, j, dir, i) },
			})
		}
	}
	return append(trials, trial{"disk/inodes/" + j.name, func(r *room) error { return fewInodes(r, j) }})
}

// fullDisk gives a part of the room the i-th part of the space that all files
// of the job take, beyond the old files, which are there already.
func fullDisk(r *room, j job, dir string, i int) error {
	u, err := r.expected(j)
	if err != nil {
		return err
	}
	total := 0
	for _, n := range u.sizes {
		total += n
	}
	if dir == "t" {
		total = len(r.input("many.jsonl"))
	}
	size := (len(j.files)+1)<<12 + total*i/diskSteps
	if err := r.full(dir, size, 64); err != nil {
		return err
	}
	if err := j.setUp(r); err != nil {
		return err
	}
	return j.notTorn(r, u, r.run(j.command(r)), "no space left on device")
}

// fewInodes leaves no inode for what is written beside the output.
func fewInodes(r *room, j job) error {
	u, err := r.expected(j)
	if err != nil {
		return err
	}
	if err := r.full("o", 1<<24, len(j.files)+1); err != nil {
		return err
	}
	if err := j.setUp(r); err != nil {
		return err
	}
	return j.notTorn(r, u, r.run(j.command(r)), "no space left on device")
}

// notTorn returns an error unless all was written with status 0, or nothing
// with 2 and a message that says why.
func (j job) notTorn(r *room, u *undisturbed, o outcome, why string) error {
	if err := errors.Join(j.whole(r, u, o, false), r.only("o", j.files, false)); err != nil {
		return err
	}
	if o.status == 0 {
		return nil
	}
	return o.refuses(why)
}

// limitTrials sweep ulimit -f, in KiB.
func limitTrials(j job) (trials []trial) {
	for i := range diskSteps {
		trials = append(trials, trial{fmt.Sprintf("disk/ulimit-f/%s/%02d", j.name, i), func(r *room) error {
			u, err := r.ready(j)
			if err != nil {
				return err
			}
			c := j.command(r)
			c.wrap = []string{"prlimit", fmt.Sprintf("--fsize=%d", max(4096, u.sizes["out"]*i/diskSteps))}
			return j.notTorn(r, u, r.run(c), "file too large")
		}})
	}
	return trials
}

// devFull writes to a device that is always full: status 2, and the device is
// still one afterwards.
func devFull(r *room, j job) error {
	if err := j.setUp(r); err != nil {
		return err
	}
	text := strings.ReplaceAll(j.args, "-o o/out", "-o /dev/full")
	c := job{args: text, stdin: j.stdin}.command(r)
	if err := r.run(c).refuses("no space left on device"); err != nil {
		return err
	}
	toStdout := strings.ReplaceAll(j.args, "-o o/out", "")
	c = command{args: []string{"bash", "-c", toStdout + " > /dev/full"}, stdin: c.stdin}
	if j.stdin != "" {
		c.stdin = slow(r.input(j.stdin))
	}
	return r.run(c).refuses("no space left on device")
}
