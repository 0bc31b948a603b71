//go:build linux

package main

import (
	"errors"
	"fmt"
	"strings"
)

// failures are system calls that fail. Reads and writes that are interrupted
// are made again, so those must not be noticed.
var failures = []struct{ set, errno, message string }{
	{"write,pwrite64", "ENOSPC", "no space left on device"},
	{"write,pwrite64", "EIO", "input/output error"},
	{"write,pwrite64", "EINTR", ""},
	{"read,pread64", "EIO", "input/output error"},
	{"read,pread64", "EINTR", ""},
	{"rename,renameat,renameat2", "EIO", "input/output error"},
	{"fsync,fdatasync", "EIO", "input/output error"},
	{"openat", "EMFILE", "too many open files"},
	{"openat", "EINTR", ""},
	{"ftruncate,fallocate", "ENOSPC", "no space left on device"},
}

// callTrials let the nth call of each thread fail.
func callTrials(j job) (trials []trial) {
	for _, f := range failures {
		for _, n := range []int{1, 2, 3, 5, 8, 13, 21} {
			first, rest, _ := strings.Cut(f.set, ",")
			if j.front() && first == "read" {
				f.set = rest // a front reads whether a process was started, in Go's library
			}
			trials = append(trials, trial{
				fmt.Sprintf("disk/call/%s/%s-%s/%d", j.name, first, f.errno, n),
				func(r *room) error { return callFails(r, j, f.set, f.errno, n) },
			})
		}
	}
	return trials
}

func callFails(r *room, j job, set, errno string, n int) error {
	u, err := r.ready(j)
	if err != nil {
		return err
	}
	c, err := traced(j.command(r), set, "error="+errno, n)
	if err != nil {
		return err
	}
	o := r.run(c)
	if errno == "EINTR" && o.status != 0 && !o.ofRuntime() {
		return fmt.Errorf("an interrupted call is noticed: status %d: %s", o.status, firstLines(o.stderr, 2))
	}
	return errors.Join(j.whole(r, u, o, o.ofRuntime()), r.only("o", j.files, o.ofRuntime()))
}
