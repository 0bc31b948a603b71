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
func killsOfStages(j job, s namedSignal) (trials []trial) {
	for _, stage := range strings.Fields(j.under) {
		for i := range stageMoments {
			trials = append(trials, trial{fmt.Sprintf("kill/%s/%s/of-%s/%d", j.name, s.name, stage, i), func(r *room) error {
				return j.killed(r, s.number, atStage(stage, s.number, i))
			}})
		}
	}
	return trials
}

// atStage sends a signal to a stage, the sooner after its start the less i is.
func atStage(stage string, s syscall.Signal, i int) harm {
	return meanwhile(func(_ *room, p *run, took time.Duration) {
		if q, ok := p.await(stage); ok {
			time.Sleep(took * time.Duration(i) / (3 * stageMoments))
			p.signal(s, q)
		}
	})
}

// await waits for a process of the run by its name, and returns it unless the run ends
// without it.
func (p *run) await(name string) (process, bool) {
	for {
		all := session(p.cmd.Process.Pid)
		if i := slices.IndexFunc(all, func(q process) bool { return q.name == name }); i >= 0 {
			return all[i], true
		}
		if len(all) == 0 {
			return process{}, false
		}
		time.Sleep(2 * time.Millisecond)
	}
}
