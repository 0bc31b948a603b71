//go:build linux

package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"
)

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
	u, err := r.ready(j)
	if err != nil {
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
