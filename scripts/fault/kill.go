package main

import (
	"errors"
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
// to all, or to one child; and a signal at each of the first system calls by
// which files come and go, where moments seldom hit.
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
		}
	}
	return trials
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
	u, err := r.expected(j)
	if err != nil {
		return err
	}
	if err := j.setUp(r); err != nil {
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

// survived returns an error unless every file is the old one or the whole new
// one, all new if the status is 0, and nothing else is left. What was killed
// outright may leave hidden files, which the next run passes over.
func (j job) survived(r *room, u *undisturbed, o outcome, s syscall.Signal) error {
	err := errors.Join(j.whole(r, u, o, s == syscall.SIGKILL), r.only("o", j.files, s == syscall.SIGKILL))
	if err != nil || s != syscall.SIGKILL {
		return err
	}
	if again := r.run(j.command(r)); again.status != 0 {
		return fmt.Errorf("the next run: status %d: %s", again.status, firstLines(again.stderr, 2))
	}
	return j.allNew(r, u)
}

// whole looks at the files of a job. Several of them are renamed together,
// unless the process that renames them is killed outright.
func (j job) whole(r *room, u *undisturbed, o outcome, apart bool) error {
	if o.status == 0 {
		return j.allNew(r, u)
	}
	fresh := 0
	for _, f := range j.files {
		switch now := r.read("o/" + f); {
		case sum(now) == u.sums[f]:
			fresh++
		case now != old && !(j.some && u.lacks(now, f, o)):
			return fmt.Errorf("status %d: %s is neither old nor whole: %s", o.status, f, excerpt(now))
		}
	}
	if fresh > 0 && fresh < len(j.files) && !apart {
		return fmt.Errorf("status %d: of %v %d are new and the others old", o.status, j.files, fresh)
	}
	return nil
}

// lacks tells whether a file is that of a run which left something out, and
// said so.
func (u *undisturbed) lacks(now, file string, o outcome) bool {
	return o.status == 2 && o.stderr != "" && len(now) < u.sizes[file]
}

func (j job) allNew(r *room, u *undisturbed) error {
	for _, f := range j.files {
		if now := r.read("o/" + f); sum(now) != u.sums[f] {
			return fmt.Errorf("status 0, but %s is not what an undisturbed run writes: %s", f, excerpt(now))
		}
	}
	return nil
}

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
