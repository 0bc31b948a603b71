//go:build linux

package main

import (
	"fmt"
	"slices"
	"syscall"
	"time"
)

// moments is how many moments of a run each signal is sent at.
const moments = 100

// A victim is whom a signal is sent to.
type victim string

const (
	front victim = "front" // the process that was started
	group victim = "group" // all processes at once, as a terminal does
	child victim = "child" // one of those under the front
)

var signals = []struct {
	name   string
	number syscall.Signal
}{{"KILL", syscall.SIGKILL}, {"TERM", syscall.SIGTERM}, {"INT", syscall.SIGINT}}

// killTrials are a signal at each of the moments for each chain, to the front,
// to all, or to one child; a signal to each stage; and a signal at each of the first
// system calls by which files come and go, where moments seldom hit.
func killTrials() (trials []trial) {
	for _, j := range chains {
		for _, s := range signals {
			for i := range moments {
				whom := whomOf(j, i)
				trials = append(trials, trial{
					fmt.Sprintf("kill/%s/%s/%s/%03d", j.name, s.name, whom, i),
					func(r *room) error { return killAt(r, j, s.number, whom, i) },
				})
			}
			trials = append(trials, killsAtCalls(j, s.name, s.number)...)
			trials = append(trials, killsOfStages(j, s.name, s.number)...)
		}
		trials = append(trials, ignoredKills(j)...)
	}
	return append(append(trials, takingTrials()...), journalKills()...)
}

// whomOf spreads the moments over the victims.
func whomOf(j job, i int) victim {
	if !j.front() {
		return front
	}
	return []victim{front, group, child}[i%3]
}

// killAt sends a signal at the i-th moment of a run.
func killAt(r *room, j job, s syscall.Signal, whom victim, i int) error {
	u, err := r.ready(j)
	if err != nil {
		return err
	}
	p, err := r.start(j.command(r))
	if err != nil {
		return err
	}
	part := (float64(i) + r.rand.Float64()) / moments
	time.Sleep(time.Duration(part * 1.1 * float64(u.took)))
	sent := p.kill(s, whom, r)
	r.log = append(r.log, "# "+sent)
	return j.survived(r, u, p.wait(), s)
}

// kill sends the signal and tells to whom.
func (p *run) kill(s syscall.Signal, whom victim, r *room) string {
	leader := p.cmd.Process.Pid
	all := session(leader)
	targets := slices.DeleteFunc(all, func(q process) bool {
		return whom == front && q.pid != leader || whom == child && q.pid == leader
	})
	if whom == child && len(targets) > 1 {
		at := r.rand.IntN(len(targets))
		targets = targets[at : at+1]
	}
	for _, t := range targets {
		syscall.Kill(t.pid, s)
	}
	return fmt.Sprintf("%v to %v after %v", s, targets, time.Since(p.began))
}
