//go:build linux

package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A failure is a system call that fails.
type failure struct{ set, errno string }

// failures are what is tried. Reads and writes that are interrupted are made again, so
// those must not be noticed.
var failures = []failure{
	{"write,pwrite64", "ENOSPC"},
	{"write,pwrite64", "EIO"},
	{"write,pwrite64", "EINTR"},
	{"read,pread64", "EIO"},
	{"read,pread64", "EINTR"},
	{"rename,renameat,renameat2", "EIO"},
	{"fsync,fdatasync", "EIO"},
	{"openat", "EMFILE"},
	{"openat", "EINTR"},
	{"ftruncate,fallocate", "ENOSPC"},
}

// callTrials let the nth call of each thread of a run fail, for some n.
func callTrials(name string, failures []failure, ns []int, try func(r *room, f failure, n int) error) (trials []trial) {
	for _, f := range failures {
		first, _, _ := strings.Cut(f.set, ",")
		for _, n := range ns {
			trials = append(trials, trial{fmt.Sprintf("disk/call/%s/%s-%s/%d", name, first, f.errno, n), func(r *room) error {
				return try(r, f, n)
			}})
		}
	}
	return trials
}

// failures are those that a job must bear: a front reads whether a process was started,
// in Go's library.
func (j job) failures() []failure {
	own := slices.Clone(failures)
	for i, f := range own {
		if rest, reads := strings.CutPrefix(f.set, "read,"); reads && j.front() {
			own[i].set = rest
		}
	}
	return own
}

// at is the harm of the nth call.
func (f failure) at(n int) harm { return atCall(f.set, "error="+f.errno, n) }

// callFails holds a job to its files when a call fails.
func (j job) callFails(r *room, f failure, n int) error {
	u, o, err := j.harmed(r, f.at(n))
	if err != nil {
		return err
	}
	if f.errno == "EINTR" && !o.ofRuntime() {
		if err := o.succeeded(); err != nil {
			return fmt.Errorf("an interrupted call is noticed: %w", err)
		}
	}
	return errors.Join(j.whole(r, u, o, o.ofRuntime()), r.only("o", j.files, o.ofRuntime()))
}
