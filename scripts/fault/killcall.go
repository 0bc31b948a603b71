//go:build linux

package main

import (
	"fmt"
	"syscall"
)

// fileCalls are the system calls by which files come and go.
var fileCalls = []struct{ name, set string }{
	{"rename", "rename,renameat,renameat2"},
	{"create", "openat"},
	{"sync", "fsync,fdatasync"},
	{"chmod", "fchmod,fchmodat"},
	{"unlink", "unlink,unlinkat"},
}

// killsAtCalls are a signal at the nth such call, of each thread, in any of the
// processes.
func killsAtCalls(j job, name string, s syscall.Signal) (trials []trial) {
	for _, c := range fileCalls {
		for n := 1; n <= 4; n++ {
			trials = append(trials, trial{
				fmt.Sprintf("kill/%s/%s/%s/%d", j.name, name, c.name, n),
				func(r *room) error { return killAtCall(r, j, s, c.set, n) },
			})
		}
	}
	return trials
}

func killAtCall(r *room, j job, s syscall.Signal, set string, n int) error {
	u, err := r.ready(j)
	if err != nil {
		return err
	}
	c, err := traced(j.command(r), set, fmt.Sprintf("signal=%d", int(s)), n)
	if err != nil {
		return err
	}
	return j.survived(r, u, r.run(c), s)
}
