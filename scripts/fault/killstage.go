//go:build linux

package main

import (
	"fmt"
	"slices"
	"strings"
	"syscall"
	"time"
)

// stageMoments is how many moments each stage of a chain is killed at.
const stageMoments = 6

// killsOfStages are a signal to each of the stages by its name: what a child at a
// swept moment is, chance tells, and it is seldom one that lives briefly.
func killsOfStages(j job, name string, s syscall.Signal) (trials []trial) {
	for _, stage := range strings.Fields(j.under) {
		for i := range stageMoments {
			trials = append(trials, trial{
				fmt.Sprintf("kill/%s/%s/of-%s/%d", j.name, name, stage, i),
				func(r *room) error { return killStage(r, j, s, stage, i) },
			})
		}
	}
	return trials
}

// killStage sends a signal to a stage, the sooner after its start the less i is.
func killStage(r *room, j job, s syscall.Signal, stage string, i int) error {
	u, err := r.ready(j)
	if err != nil {
		return err
	}
	p, err := r.start(j.command(r))
	if err != nil {
		return err
	}
	if pid := p.await(stage); pid != 0 {
		time.Sleep(u.took * time.Duration(i) / (3 * stageMoments))
		r.log = append(r.log, fmt.Sprintf("# %v to %s after %v", s, stage, time.Since(p.began)))
		syscall.Kill(pid, s)
	}
	return j.survived(r, u, p.wait(), s)
}

// await waits for a process of the run by its name, and returns its number, or 0 if the
// run ends without it.
func (p *run) await(name string) int {
	for {
		all := session(p.cmd.Process.Pid)
		if i := slices.IndexFunc(all, func(q process) bool { return q.name == name }); i >= 0 {
			return all[i].pid
		}
		if len(all) == 0 {
			return 0
		}
		time.Sleep(2 * time.Millisecond)
	}
}
