//go:build linux

package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"
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
	u, err := r.expected(j)
	if err != nil {
		return err
	}
	if err := j.setUp(r); err != nil {
		return err
	}
	c, err := traced(j.command(r), set, fmt.Sprintf("signal=%d", int(s)), n)
	if err != nil {
		return err
	}
	return j.survived(r, u, r.run(c), s)
}

// ignoredKills send signals that were ignored when the run was started, as
// nohup(1) does and a shell for what a script puts into the background: the run
// goes on.
func ignoredKills(j job) (trials []trial) {
	for i := range 20 {
		for _, name := range []string{"HUP", "INT"} {
			trials = append(trials, trial{fmt.Sprintf("kill/%s/ignored-%s/%02d", j.name, name, i), func(r *room) error {
				return killIgnored(r, j, name, i)
			}})
		}
	}
	return trials
}

func killIgnored(r *room, j job, name string, i int) error {
	u, err := r.expected(j)
	if err != nil {
		return err
	}
	if err := j.setUp(r); err != nil {
		return err
	}
	c := j.command(r)
	c.wrap = []string{"bash", "-c", "trap '' " + name + `; exec "$@"`, "bash"}
	c.limit = 30 * time.Second
	p, err := r.start(c)
	if err != nil {
		return err
	}
	p.awaitTool()
	time.Sleep(u.took * time.Duration(i) / 18)
	signal := map[string]syscall.Signal{"HUP": syscall.SIGHUP, "INT": syscall.SIGINT}[name]
	r.log = append(r.log, "# "+p.kill(signal, group, r))
	if o := p.wait(); o.status != 0 {
		return fmt.Errorf("an ignored signal: status %d: %s", o.status, firstLines(o.stderr, 2))
	}
	return j.allNew(r, u)
}

// awaitTool waits until the shell in front of the tool has become it: before, it
// may not have been told yet to ignore anything.
func (p *run) awaitTool() {
	comm := fmt.Sprintf("/proc/%d/comm", p.cmd.Process.Pid)
	for {
		name, err := os.ReadFile(comm)
		if err != nil || strings.TrimSpace(string(name)) != "bash" {
			return
		}
		time.Sleep(time.Millisecond)
	}
}
