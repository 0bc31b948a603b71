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
		for _, s := range []namedSignal{{"HUP", syscall.SIGHUP}, {"INT", syscall.SIGINT}} {
			trials = append(trials, trial{fmt.Sprintf("kill/%s/ignored-%s/%02d", j.name, s.name, i), func(r *room) error {
				return j.killIgnored(r, s, i)
			}})
		}
	}
	return trials
}

func (j job) killIgnored(r *room, s namedSignal, i int) error {
	u, o, err := j.harmed(r, func(r *room, c command, took time.Duration) (outcome, error) {
		c.wrap = []string{"bash", "-c", "trap '' " + s.name + `; exec "$@"`, "bash"}
		c.limit = 30 * time.Second
		return meanwhile(func(r *room, p *run, took time.Duration) {
			p.awaitTool()
			time.Sleep(took * time.Duration(i) / 18)
			p.kill(s.number, group, r)
		})(r, c, took)
	})
	if err != nil {
		return err
	}
	if err := o.succeeded(); err != nil {
		return fmt.Errorf("an ignored signal: %w", err)
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
