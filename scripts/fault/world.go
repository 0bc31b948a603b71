//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// A world is what all cases share: the tools, the inputs, a place for rooms.
type world struct {
	options
	bin    string // where the tools are
	dir    string // holds all else
	inputs string // inputs made once, never changed
	mounts bool   // a tmpfs can be mounted
	build  string // digest of the tools

	undisturbed sync.Map // by name: what came of a run that nobody disturbed
}

func newWorld(o options) (*world, error) {
	bin, err := o.binaries()
	if err != nil {
		return nil, err
	}
	build, err := digest(bin)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "doppel-fault-")
	if err != nil {
		return nil, err
	}
	w := &world{options: o, bin: bin, dir: dir, inputs: filepath.Join(dir, "inputs"), mounts: canMount(dir), build: build}
	if err := w.makeInputs(); err != nil {
		return nil, fmt.Errorf("making inputs: %w", errors.Join(err, os.RemoveAll(dir)))
	}
	return w, nil
}

// remembered returns what is observed in a room of its own, once for each name.
func remembered[T any](w *world, name string, observe func(*room) (T, error)) (T, error) {
	v, _ := w.undisturbed.LoadOrStore(name, sync.OnceValues(func() (seen T, err error) {
		r, err := w.newRoom("undisturbed/" + name)
		if err != nil {
			return seen, err
		}
		defer r.close(false)
		return observe(r)
	}))
	return v.(func() (T, error))()
}

// close removes all but the rooms of failures that are to be kept.
func (w *world) close() {
	os.RemoveAll(w.inputs)
	if !w.keep {
		os.RemoveAll(w.dir)
	}
}

// tryAll tries the trials, several at a time, until it is told to stop. To be
// told matters to the tools, too: a signal that is ignored here, as in a
// background job of a script, would be ignored by all that is started.
func (w *world) tryAll(trials []trial, all *results) {
	queue := make(chan trial)
	var workers sync.WaitGroup
	for range max(1, w.jobs) {
		workers.Go(func() {
			for t := range queue {
				all.add(w.try(t))
			}
		})
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, ends...)
	w.hand(trials, queue, stop)
	close(queue)
	workers.Wait()
	all.took = time.Since(all.began)
}

// ends are the signals that people end a program with.
var ends = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

// hand hands the trials out; those that are under way come to their end.
func (w *world) hand(trials []trial, queue chan<- trial, stop <-chan os.Signal) {
	for _, t := range trials {
		select {
		case queue <- t:
		case s := <-stop:
			fmt.Fprintln(os.Stderr, "fault: stopped by a signal:", s)
			return
		}
	}
}

// try tries one case in a room of its own.
func (w *world) try(t trial) result {
	began := time.Now()
	r, err := w.newRoom(t.name)
	if err != nil {
		return result{name: t.name, err: err}
	}
	err = t.run(r)
	if !errors.As(err, new(notTried)) {
		err = errors.Join(err, r.check())
	}
	r.close(err != nil && w.keep)
	return result{name: t.name, err: err, commands: r.log, rows: r.rows, dir: r.dir, took: time.Since(began), build: w.build}
}

// A notTried is the error of a case that cannot be tried on this machine.
type notTried struct {
	why   string
	right bool // what lacks is a right, which not every machine gives, and no program
}

func (n notTried) Error() string { return untried + n.why }

const untried = "not tried: "
