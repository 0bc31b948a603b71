//go:build linux

package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
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

func takingTrials() (trials []trial) {
	for _, t := range takings {
		w := sweep{name: t.name, moments: 20, whom: frontAlone, calls: slices.Concat(fileCalls, takingCalls), most: 4,
			try: func(r *room, _ int, _ syscall.Signal, h harm) error { return t.stopped(r, h) }}
		for _, s := range signals {
			trials = append(trials, w.by(s)...)
		}
	}
	return trials
}

// takingCalls are system calls that those make beside the others.
var takingCalls = []callSet{{"link", "link,linkat"}, {"write", "write,pwrite64"}, {"lock", "flock,fcntl"}}

func (t taker) command() command { return command{args: strings.Fields(t.args)} }

func (t taker) setUp(r *room) error { return r.bring("tree", "box", "maildir") }

// stopped holds a run that was stopped to having lost nothing, and another to ending
// its work. After a kill the lock of an mbox stays, and its owner removes it.
func (t taker) stopped(r *room, h harm) error {
	u, err := remembered(r.world, t.name, t.observe)
	if err == nil {
		err = t.setUp(r)
	}
	if err != nil {
		return err
	}
	o, err := h(r, t.command(), u.took)
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
	if err := r.run(t.command()).succeeded(); err != nil {
		return fmt.Errorf("the next run: %w", err)
	}
	return u.lost(t.units(r))
}

// observe returns what an undisturbed run leaves.
func (t taker) observe(r *room) (*left, error) {
	if err := t.setUp(r); err != nil {
		return nil, err
	}
	before := t.units(r)
	o := r.run(t.command())
	err := errors.Join(o.tells(""), r.broken)
	if err == nil && len(before) == 0 {
		err = errors.New("undisturbed: there is nothing to lose")
	}
	return &left{t.units(r), o.wall}, err
}
