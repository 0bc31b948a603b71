//go:build linux

package main

import (
	"fmt"
	"slices"
	"syscall"
	"time"
)

// A victim is whom a signal is sent to.
type victim string

const (
	front victim = "front" // the process that was started
	group victim = "group" // all processes at once, as a terminal does
	child victim = "child" // one of those under the front
)

// killTrials are a signal at each of the moments for each chain, to the front,
// to all, or to one child; a signal to each stage; and a signal at each of the first
// system calls by which files come and go.
func killTrials() (trials []trial) {
	for _, j := range chains {
		w := sweep{name: j.name, moments: 100, whom: j.whom, calls: fileCalls, most: 4,
			try: func(r *room, _ int, s syscall.Signal, h harm) error { return j.killed(r, s, h) }}
		for _, s := range signals {
			trials = slices.Concat(trials, w.by(s), killsOfStages(j, s))
		}
		trials = append(trials, ignoredKills(j)...)
	}
	return slices.Concat(trials, takingTrials(), journalKills())
}

// whom spreads the moments over the victims.
func (j job) whom(i int) victim {
	if !j.front() {
		return front
	}
	return []victim{front, group, child}[i%3]
}

func frontAlone(int) victim { return front }

// killed holds a job to its files when a signal is sent to it.
func (j job) killed(r *room, s syscall.Signal, h harm) error {
	u, o, err := j.harmed(r, h)
	if err != nil {
		return err
	}
	return j.survived(r, u, o, s)
}

// kill sends the signal, and has the log tell to whom.
func (p *run) kill(s syscall.Signal, whom victim, r *room) {
	leader := p.cmd.Process.Pid
	all := session(leader)
	targets := slices.DeleteFunc(all, func(q process) bool {
		return whom == front && q.pid != leader || whom == child && q.pid == leader
	})
	if whom == child && len(targets) > 1 {
		at := r.rand.IntN(len(targets))
		targets = targets[at : at+1]
	}
	p.signal(s, targets...)
}

func (p *run) signal(s syscall.Signal, targets ...process) {
	for _, t := range targets {
		syscall.Kill(t.pid, s)
	}
	p.room.log = append(p.room.log, fmt.Sprintf("# %v to %v after %v", s, targets, time.Since(p.began)))
}
