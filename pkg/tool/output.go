package tool

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"doppel/pkg/record/dataform"
	"doppel/pkg/wording"
)

// outputs are the places that a run writes to: the main one, which is standard
// output or the file of -o, and further files that it was told to write. They
// are put in their places together, when the run has succeeded, or removed.
type outputs struct {
	mu     sync.Mutex // guards all against signals
	all    []*output  // the main one first
	inputs inputs
	stages []*outputs // of the stages of the run
	noSync bool       // they are not synced
}

// output is one place.
type output struct {
	w       *bufio.Writer
	pack    io.WriteCloser // between w and raw
	packing dataform.Packing
	raw     io.Writer
	file    *atomicFile // nil: raw is not ours to close
	seal    *sealing    // of its lines, or nil
}

// open opens the main output, in place of the one that was open, to which
// nothing was written: the named file, or stdout if the name is "" or "-".
func (o *outputs) open(stdout io.Writer, name string, c dataform.Packing) (*bufio.Writer, error) {
	main, err := o.main(stdout, name)
	if err != nil {
		return nil, err
	}
	return main.compress(c)
}

// main puts the main output in the place of the one that was open. A file is
// made and noted in one, so that a signal finds every file that there is.
func (o *outputs) main(stdout io.Writer, name string) (main *output, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.replace(&output{}) // what was open is no other output
	if name == "" || name == "-" {
		o.replace(&output{raw: screened(stdout)})
		return o.all[0], nil
	}
	if main, err = o.fresh(name, true); err == nil {
		o.replace(main)
	}
	return main, err
}

func (o *outputs) replace(main *output) {
	if len(o.all) == 0 {
		o.all = append(o.all, nil)
	} else {
		o.all[0].file.remove()
	}
	o.all[0] = main
}

// create opens a further file.
func (o *outputs) create(name string, c dataform.Packing) (*bufio.Writer, error) {
	further, err := o.further(name, false)
	if err != nil {
		return nil, err
	}
	return further.compress(c)
}

func (o *outputs) further(name string, replaces bool) (*output, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	f, err := o.fresh(name, replaces)
	if err == nil {
		o.all = append(o.all, f)
	}
	return f, err
}

// fresh opens a file that is neither an input nor another output. The caller
// holds the lock.
func (o *outputs) fresh(name string, replaces bool) (*output, error) {
	if err := o.inputs.check(name, replaces); err != nil {
		return nil, err
	}
	f, err := createFile(name)
	if err != nil {
		return nil, err
	}
	f.replaces = replaces
	for _, one := range o.all {
		if one != nil && (one.file.sameAs(f) || one.sameStream(f)) {
			f.Close()
			f.remove()
			return nil, wording.WithHint(fmt.Errorf("%s: two outputs of one name", name), "write each to a file of its own")
		}
	}
	return &output{raw: f, file: f}, nil
}

func (o *output) compress(c dataform.Packing) (_ *bufio.Writer, err error) {
	o.packing = c
	o.pack, err = c.NewWriter(o.raw)
	o.w = bufio.NewWriterSize(o.pack, 1<<16)
	return o.w, err
}

// delegate reserves the name of a further file for a stage to write, and returns the
// name under which it must; its end says what the file is, as that of its
// place does. The file may replace an input if it is what a stage writes under -o. It is
// made and removed at once, so that a place that cannot be written is an error before
// anything is read, and a kill leaves nothing.
func (o *outputs) delegate(name string, replaces bool) (string, error) {
	further, err := o.further(name, replaces)
	if err != nil {
		return "", err
	}
	f := further.file
	err = f.Close()
	named := f.beside != "" && !f.nameless
	f.File, f.nameless = nil, false
	if !named || err != nil {
		return cmp.Or(f.beside, name), err
	}
	return f.beside, os.Remove(f.beside)
}

// removeOnSignal removes half-written files when the user interrupts, and then
// lets the signal end the process. A signal that the caller has ignored, as nohup
// does, stays ignored.
func (o *outputs) removeOnSignal() {
	c := make(chan os.Signal, 1)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			signal.Notify(c, s)
		}
	}
	go func() {
		s := <-c
		o.removeAll()
		signal.Reset(s)
		syscall.Kill(os.Getpid(), s.(syscall.Signal))
	}()
}

// removeAll removes what is not in its place, and keeps the locks: no output is made or
// renamed any more.
func (o *outputs) removeAll() {
	o.mu.Lock()
	for _, stage := range o.stages {
		stage.removeAll()
	}
	for _, one := range o.all {
		one.file.remove()
	}
}

// adopt makes the outputs of a stage ones that a signal removes.
func (o *outputs) adopt(stage *outputs) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.stages = append(o.stages, stage)
}

// whole runs a step while signals wait.
func (o *outputs) whole(step func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	step()
}

// close flushes all outputs and then puts the files in their places, or
// removes them all if the run failed with err or a flush fails: a full disk
// shows up here. It returns the first error.
func (o *outputs) close(err error) error {
	for _, one := range o.all {
		if cerr := one.close(); err == nil {
			err = cerr
		}
	}
	o.mu.Lock() // a signal waits until all are in their places
	defer o.mu.Unlock()
	for _, one := range o.all {
		if err == nil {
			err = one.file.clash(o.inputs) // of what was opened since
		}
	}
	return o.finish(err)
}

func (o *output) close() error {
	if o.w == nil {
		return nil // it was never opened
	}
	err := o.w.Flush()
	if cerr := o.pack.Close(); err == nil {
		err = cerr
	}
	if o.seal != nil && err == nil {
		err = o.seal.finish(o.file)
	}
	if s, ok := o.raw.(*screen); ok && err == nil {
		err = s.flush()
	}
	if err != nil {
		err = fmt.Errorf("writing output: %w", err)
	}
	return err
}
