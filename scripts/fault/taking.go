//go:build linux

package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"time"
)

// A taker takes copies out of what people have, in place. Stopped at any moment it has
// lost no unit that an undisturbed run leaves, and another run ends its work.
type taker struct {
	name  string
	args  string
	units func(r *room) map[string]bool // what there is, that may be lost
}

var takings = []taker{
	{"files-remove", "doppel files --remove --yes -r i/tree", contents},
	{"files-link", "doppel files --link --yes -r i/tree", namedContents},
	{"mbox-into", "doppel mail --into i/copies --yes i/box", messages},
	{"mbox-remove", "doppel mail --remove --yes i/box", messages},
	{"maildir-into", "doppel mail --into i/copies --yes i/maildir", messages},
	{"maildir-remove", "doppel mail --remove --yes i/maildir", messages},
}

// takingMoments is how many moments each signal is sent at.
const takingMoments = 20

func takingTrials() (trials []trial) {
	for _, t := range takings {
		for _, s := range signals {
			for i := range takingMoments {
				trials = append(trials, trial{fmt.Sprintf("kill/%s/%s/front/%02d", t.name, s.name, i), func(r *room) error {
					return t.stopped(r, func(u *left) (outcome, error) { return t.atMoment(r, s.number, u.took, i) })
				}})
			}
			for _, c := range slices.Concat(fileCalls, takingCalls) {
				for n := 1; n <= 4; n++ {
					trials = append(trials, trial{fmt.Sprintf("kill/%s/%s/%s/%d", t.name, s.name, c.name, n), func(r *room) error {
						return t.stopped(r, func(*left) (outcome, error) { return t.atCall(r, s.number, c.set, n) })
					}})
				}
			}
		}
	}
	return trials
}

// takingCalls are system calls that those make beside the others.
var takingCalls = []struct{ name, set string }{{"link", "link,linkat"}, {"write", "write,pwrite64"}, {"lock", "flock,fcntl"}}

func (t taker) command() command { return command{args: strings.Fields(t.args)} }

func (t taker) setUp(r *room) error { return r.bring("tree", "box", "maildir") }

// stopped holds a run that was stopped to having lost nothing, and another to ending
// its work. After a kill the lock of an mbox stays, and its owner removes it.
func (t taker) stopped(r *room, stop func(*left) (outcome, error)) error {
	u, err := r.leaves(t)
	if err == nil {
		err = t.setUp(r)
	}
	if err != nil {
		return err
	}
	o, err := stop(u)
	if err != nil {
		return err
	}
	if err := u.lost(t.units(r)); err != nil {
		return fmt.Errorf("status %d: %w", o.status, err)
	}
	if names := r.asides(); len(names) > 0 && o.status != 128+int(syscall.SIGKILL) {
		return fmt.Errorf("status %d, and left are %q", o.status, names)
	}
	if err := r.unlock(); err != nil {
		return err
	}
	if again := r.run(t.command()); again.status != 0 {
		return fmt.Errorf("the next run: status %d: %s", again.status, firstLines(again.stderr, 2))
	}
	return u.lost(t.units(r))
}

func (t taker) atMoment(r *room, s syscall.Signal, took time.Duration, i int) (outcome, error) {
	p, err := r.start(t.command())
	if err != nil {
		return outcome{}, err
	}
	time.Sleep(time.Duration((float64(i) + r.rand.Float64()) / takingMoments * 1.1 * float64(took)))
	r.log = append(r.log, "# "+p.kill(s, front, r))
	return p.wait(), nil
}

func (t taker) atCall(r *room, s syscall.Signal, set string, n int) (outcome, error) {
	c, err := traced(t.command(), set, fmt.Sprintf("signal=%d", int(s)), n)
	if err != nil {
		return outcome{}, err
	}
	return r.run(c), nil
}

// leaves returns what an undisturbed run leaves, from one run.
func (r *room) leaves(t taker) (*left, error) {
	v, _ := r.world.undisturbed.LoadOrStore(t.name, &left{})
	u := v.(*left)
	u.once.Do(func() { u.err = u.observe(r.world, t) })
	return u, u.err
}

func (u *left) observe(w *world, t taker) error {
	r, err := w.newRoom("undisturbed/" + t.name)
	if err != nil {
		return err
	}
	defer r.close(false)
	if err := t.setUp(r); err != nil {
		return err
	}
	before := t.units(r)
	o := r.run(t.command())
	u.took, u.units = o.wall, t.units(r)
	if o.status != 0 || r.broken != nil || o.stdout == "" || len(before) == 0 {
		return fmt.Errorf("undisturbed: status %d, output %s: %s", o.status, excerpt(o.stdout), errors.Join(errors.New(o.stderr), r.broken))
	}
	return nil
}
