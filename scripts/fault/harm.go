//go:build linux

package main

import (
	"fmt"
	"syscall"
	"time"
)

// A harm is what is done to a run of a command, which undisturbed takes so long.
type harm func(r *room, c command, took time.Duration) (outcome, error)

// asIs does nothing to a run: what harms it is in the room.
func asIs(r *room, c command, _ time.Duration) (outcome, error) { return r.run(c), nil }

// wrapped runs a command by another, as prlimit(1).
func wrapped(words ...string) harm {
	return func(r *room, c command, _ time.Duration) (outcome, error) {
		c.wrap = words
		return r.run(c), nil
	}
}

// atCall does something to the nth call of a set in each thread: signal=9, or error=EIO.
func atCall(set, what string, n int) harm {
	return func(r *room, c command, _ time.Duration) (outcome, error) {
		c, err := traced(c, set, what, n)
		if err != nil {
			return outcome{}, err
		}
		return r.run(c), nil
	}
}

// atMoment sends a signal at the i-th of so many moments.
func atMoment(s syscall.Signal, whom victim, i, moments int) harm {
	return meanwhile(func(r *room, p *run, took time.Duration) {
		time.Sleep(time.Duration((float64(i) + r.rand.Float64()) / float64(moments) * 1.1 * float64(took)))
		p.kill(s, whom, r)
	})
}

// meanwhile does something while a command runs.
func meanwhile(do func(r *room, p *run, took time.Duration)) harm {
	return func(r *room, c command, took time.Duration) (outcome, error) {
		p, err := r.start(c)
		if err != nil {
			return outcome{}, err
		}
		do(r, p, took)
		return p.wait(), nil
	}
}

// refusing holds a run that a harm lets fail to saying why.
func refusing(why string, h harm) harm {
	return func(r *room, c command, took time.Duration) (outcome, error) {
		o, err := h(r, c, took)
		if err == nil && o.status != 0 {
			err = o.refuses(why)
		}
		return o, err
	}
}

// A callSet is system calls that do the same.
type callSet struct{ name, set string }

// fileCalls are those by which files come and go.
var fileCalls = []callSet{
	{"rename", "rename,renameat,renameat2"},
	{"create", "openat"},
	{"sync", "fsync,fdatasync"},
	{"chmod", "fchmod,fchmodat"},
	{"unlink", "unlink,unlinkat"},
}

// A namedSignal is one that people and systems send.
type namedSignal struct {
	name   string
	number syscall.Signal
}

var signals = []namedSignal{{"KILL", syscall.SIGKILL}, {"TERM", syscall.SIGTERM}, {"INT", syscall.SIGINT}}

// A sweep is where runs of something are stopped: at so many moments, and at the first
// calls of each of some sets, where moments seldom hit.
type sweep struct {
	name    string
	moments int
	whom    func(i int) victim
	calls   []callSet
	most    int // of each set
	try     func(r *room, i int, s syscall.Signal, h harm) error
}

// by are the trials of a sweep with one signal.
func (w sweep) by(s namedSignal) (trials []trial) {
	for i := range w.moments {
		trials = append(trials, trial{fmt.Sprintf("kill/%s/%s/%s/%0*d", w.name, s.name, w.whom(i), len(fmt.Sprint(w.moments)), i), func(r *room) error {
			return w.try(r, i, s.number, atMoment(s.number, w.whom(i), i, w.moments))
		}})
	}
	for _, c := range w.calls {
		for n := 1; n <= w.most; n++ {
			trials = append(trials, trial{fmt.Sprintf("kill/%s/%s/%s/%d", w.name, s.name, c.name, n), func(r *room) error {
				return w.try(r, n, s.number, atCall(c.set, fmt.Sprintf("signal=%d", int(s.number)), n))
			}})
		}
	}
	return trials
}
