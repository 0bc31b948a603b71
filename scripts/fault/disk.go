//go:build linux

package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// diskTrials fill the disk of the output, of $TMPDIR and of both, write to
// /dev/full, limit the size of files, and let system calls fail.
func diskTrials() (trials []trial) {
	for _, j := range jobs() {
		trials = slices.Concat(trials, fullTrials(j), limitTrials(j), callTrials(j.name, j.failures(), []int{1, 2, 3, 5, 8, 13, 21}, j.callFails))
		trials = append(trials, trial{"disk/devfull/" + j.name, func(r *room) error { return devFull(r, j) }})
	}
	return slices.Concat(trials, cacheTrials(), journalDisks())
}

// steps of the sweeps over sizes.
const diskSteps = 12

// What a run that is out of room says.
const (
	noSpace = "no space left on device"
	tooBig  = "file too large"
)

// fullTrials sweep the size of the tmpfs on which o, or t, lies, and leave no inode for
// what is written beside the output.
func fullTrials(j job) (trials []trial) {
	for i := range diskSteps {
		for _, dir := range []string{"o", "t"} {
			trials = append(trials, trial{
				fmt.Sprintf("disk/full-%s/%s/%02d", dir, j.name, i),
				func(r *room) error { return j.fullDisk(r, dir, i) },
			})
		}
	}
	return append(trials, trial{"disk/inodes/" + j.name, func(r *room) error { return j.onDisk(r, "o", 1<<24, len(j.files)+1) }})
}

// fullDisk gives a part of the room the i-th part of the space that all files
// of the job take, beyond the old files, which are there already.
func (j job) fullDisk(r *room, dir string, i int) error {
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
	return j.onDisk(r, dir, (len(j.files)+1)<<12+total*i/diskSteps, 64)
}

// onDisk runs a job with so many bytes and inodes for a part of the room.
func (j job) onDisk(r *room, dir string, bytes, inodes int) error {
	if err := r.full(dir, bytes, inodes); err != nil {
		return err
	}
	return j.notTorn(r, noSpace, asIs)
}

// notTorn returns an error unless all was written with status 0, or nothing
// with 2 and a message that says why.
func (j job) notTorn(r *room, why string, h harm) error {
	u, o, err := j.harmed(r, h)
	if err != nil {
		return err
	}
	err = errors.Join(j.whole(r, u, o, false), r.only("o", j.files, false))
	if o.status != 0 {
		err = errors.Join(err, o.refuses(why))
	}
	return err
}

// limitTrials sweep ulimit -f, in KiB.
func limitTrials(j job) (trials []trial) {
	for i := range diskSteps {
		trials = append(trials, trial{fmt.Sprintf("disk/ulimit-f/%s/%02d", j.name, i), func(r *room) error {
			u, err := r.expected(j)
			if err != nil {
				return err
			}
			return j.notTorn(r, tooBig, wrapped("prlimit", fmt.Sprintf("--fsize=%d", max(4096, u.sizes["out"]*i/diskSteps))))
		}})
	}
	return trials
}

// devFull writes to a device that is always full, by its name and by a shell: status 2,
// and after the former the device is still one.
func devFull(r *room, j job) error {
	if err := j.setUp(r); err != nil {
		return err
	}
	named, opened := j.command(r), j.command(r)
	named.args = strings.Fields(strings.ReplaceAll(j.args, "-o o/out", "-o /dev/full"))
	opened.args = []string{"bash", "-c", strings.ReplaceAll(j.args, "-o o/out", "") + " > /dev/full"}
	return errors.Join(r.run(named).refuses(noSpace), r.run(opened).refuses(noSpace))
}
