package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// A world is what all cases share: the tools, the inputs, a place for rooms.
type world struct {
	options
	bin    string // where the tools are
	dir    string // holds all else
	inputs string // inputs made once, never changed
	mounts bool   // a tmpfs can be mounted

	undisturbed sync.Map // of the jobs: what a run writes when nobody disturbs it
}

func newWorld(o options) (*world, error) {
	bin, err := o.binaries()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "doppel-fault-")
	if err != nil {
		return nil, err
	}
	w := &world{options: o, bin: bin, dir: dir, inputs: filepath.Join(dir, "inputs"), mounts: canMount(dir)}
	if err := w.makeInputs(); err != nil {
		return nil, fmt.Errorf("making inputs: %w", errors.Join(err, os.RemoveAll(dir)))
	}
	return w, nil
}

// close removes all but the rooms of failures that are to be kept.
func (w *world) close() {
	os.RemoveAll(w.inputs)
	if !w.keep {
		os.RemoveAll(w.dir)
	}
}

// tryAll tries the trials, several at a time.
func (w *world) tryAll(trials []trial) *results {
	all := &results{began: time.Now()}
	queue := make(chan trial)
	var workers sync.WaitGroup
	for range max(1, w.jobs) {
		workers.Go(func() {
			for t := range queue {
				all.add(w.try(t))
			}
		})
	}
	for _, t := range trials {
		queue <- t
	}
	close(queue)
	workers.Wait()
	all.took = time.Since(all.began)
	return all
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
	return result{name: t.name, err: err, commands: r.log, rows: r.rows, dir: r.dir, took: time.Since(began)}
}

// A notTried is the error of a case that cannot be tried on this machine.
type notTried struct{ why string }

func (n notTried) Error() string { return "not tried: " + n.why }
