// Package output writes the outputs of a run, which all appear whole or not at all: files, shards in a
// directory, and standard output. It knows no flags.
package output

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"

	"doppel/pkg/msg"
	"doppel/pkg/record/dataform"
	"doppel/pkg/record/write"
)

// A Set holds all outputs of a run: the main output, which is standard output or the file of -o,
// and further files. When the run has succeeded, all files are renamed into place; otherwise, all
// are removed.
type Set struct {
	Called map[string]string // display names of files that are written under other names
	NoSync bool              // do not sync the outputs

	// Collections are directories in which no output may be: those of the collections that the run
	// reads or writes, which need not exist yet.
	Collections []string

	mu     sync.Mutex // guards the outputs against the goroutine that handles signals
	all    []*output  // all outputs; the main output is first once it is open
	main   *output    // the main output; nil until it is open
	inputs []string   // names of the inputs; writing to one of them would destroy it
	stages []*Set     // outputs of the run's stages
	shards map[string]Shard
	made   []string // directories created for the shards
}

// AddStage adds the outputs of a stage of the run. On a signal, they are removed with those of the run.
func (o *Set) AddStage(stage *Set) {
	o.HoldSignals(func() { o.stages = append(o.stages, stage) })
}

// An output is standard output or an output file, with its buffer and compressor.
type output struct {
	w       *bufio.Writer
	pack    io.WriteCloser // compresses the bytes written to w, and writes them to raw
	packing dataform.Packing
	raw     io.Writer
	file    *atomicFile // the file that raw writes to; nil if raw is a stream that must stay open
}

// Open opens the main output: the named file, or stdout if the name is "" or "-". An earlier main
// output is discarded; nothing has been written to it. Files are created and registered under the
// lock, so that the signal handler removes all of them.
func (o *Set) Open(stdout io.Writer, name string, c dataform.Packing) (*bufio.Writer, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.main == nil {
		o.main = &output{}
		o.all = slices.Insert(o.all, 0, o.main)
	}
	main := o.main
	main.file.remove()
	// Forget the earlier file, or createFile would see it as a second output with this name.
	*main = output{}
	if name != "" && name != "-" {
		file, err := o.createFile(name, name, identify(o.inputs))
		if err != nil {
			return nil, err
		}
		main.raw, main.file = file, file
	} else {
		main.raw = stdout
	}
	return main.compress(c)
}

// Create creates an output file in addition to the main output, and returns its buffer.
func (o *Set) Create(name string, c dataform.Packing) (*bufio.Writer, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	further, err := o.add(name, "", identify(o.inputs))
	if err != nil {
		return nil, err
	}
	return further.compress(c)
}

// add creates a file and adds it to the outputs. The new output has no buffer yet. The caller holds
// the lock.
func (o *Set) add(name, replaced string, read identities) (*output, error) {
	f, err := o.createFile(name, replaced, read)
	if err != nil {
		return nil, err
	}
	further := &output{raw: f, file: f}
	o.all = append(o.all, further)
	return further, nil
}

// createFile creates a file. It returns an error if the file is already an output or an input, but
// accepts the input named by the second argument. The caller holds the lock.
func (o *Set) createFile(name, replaced string, read identities) (*atomicFile, error) {
	if err := read.check(name, replaced); err != nil {
		return nil, err
	}
	f, err := createFile(name, cmp.Or(o.Called[name], name), o.Collections)
	if err != nil {
		return nil, err
	}
	f.replaced = replaced
	for _, one := range o.all {
		if one.clashes(f) {
			f.Close()
			f.remove()
			return nil, msg.WithHint(fmt.Errorf("%s: named as an output twice", name), "write each output to its own file")
		}
	}
	return f, nil
}

// clashes reports whether o and f have the same destination, or would mix their lines by writing
// directly to the same file or pipe. Devices such as /dev/null may be shared.
func (o *output) clashes(f *atomicFile) bool {
	if f.Temp != "" {
		return o.file != nil && o.file.Temp != "" && o.file.canonical() == f.canonical()
	}
	own, ok := o.raw.(interface{ Stat() (os.FileInfo, error) })
	if !ok {
		return false
	}
	x, errX := own.Stat()
	y, errY := f.Stat()
	return errX == nil && errY == nil && x.Mode()&os.ModeDevice == 0 && os.SameFile(x, y)
}

func (o *output) compress(c dataform.Packing) (_ *bufio.Writer, err error) {
	o.packing = c
	o.pack, err = write.Compress(o.raw, c)
	o.w = bufio.NewWriterSize(o.pack, 1<<16)
	return o.w, err
}

// Delegate reserves an output file that a stage will write, and returns its temporary name, which
// has the suffix of the final name. The second argument decides whether the file may replace the
// input of the same name. The file is created and immediately removed, so that an unwritable
// destination is reported before anything is read, and nothing is left if the process is killed.
func (o *Set) Delegate(name string, replaces bool) (string, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	replaced := ""
	if replaces {
		replaced = name
	}
	further, err := o.add(name, replaced, identify(o.inputs))
	if err != nil {
		return "", err
	}
	return further.file.delegate()
}

// RemoveOnSignal starts a goroutine that, on SIGINT, SIGTERM, SIGHUP or SIGQUIT, removes unfinished
// files and then lets the signal end the process. A signal that was already ignored when the process
// started, as under nohup, stays ignored. After SIGQUIT, the process exits with the status that a
// shell gives for the signal, because the runtime would print all goroutines. The returned function
// ends the goroutine.
func (o *Set) RemoveOnSignal() (stop func()) {
	c := make(chan os.Signal, 1)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		if !signal.Ignored(s) {
			signal.Notify(c, s)
		}
	}
	go func() {
		s, ok := <-c
		if !ok {
			return
		}
		o.removeAll()
		if s == syscall.SIGQUIT {
			os.Exit(128 + int(syscall.SIGQUIT))
		}
		signal.Reset(s)
		syscall.Kill(os.Getpid(), s.(syscall.Signal))
	}()
	return func() {
		signal.Stop(c) // no more signals are sent; the goroutine still handles one that was
		close(c)
	}
}

// removeAll removes the files that are not in place yet. It never releases the locks, so that no
// output is created or renamed afterwards.
func (o *Set) removeAll() {
	o.mu.Lock()
	for _, stage := range o.stages {
		stage.removeAll()
	}
	for _, one := range o.all {
		one.file.remove()
	}
	o.removeMade()
}

// removeMade removes the directories that the run created, unless they contain files.
func (o *Set) removeMade() {
	for _, dir := range slices.Backward(o.made) {
		os.Remove(dir)
	}
}

// HoldSignals runs a step under the lock, so that signals are handled only after the step.
func (o *Set) HoldSignals(step func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	step()
}

// Close flushes all outputs and then renames the files into place. If err, the error that ended the
// run, is not nil, or if a flush fails, close removes the files instead. It returns the first
// error.
func (o *Set) Close(err error) error {
	for _, one := range o.all {
		if cerr := one.close(); err == nil {
			err = cerr
		}
	}
	o.mu.Lock() // signals are handled after all files are in place
	defer o.mu.Unlock()
	read := identify(o.inputs) // includes inputs opened after the outputs
	var files []*atomicFile
	for _, one := range o.all {
		if one.file == nil {
			continue // a stream, which stays open
		}
		files = append(files, one.file)
		if err == nil && one.file.Temp != "" {
			err = read.check(one.file.name, one.file.replaced)
		}
	}
	if err = commitAll(files, o.made, o.NoSync, err); err != nil {
		o.removeMade()
	}
	return err
}

// Finish closes all outputs and forgets them.
func (o *Set) Finish() error {
	err := o.Close(nil)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.all, o.main = nil, nil
	return err
}

// WriteAhead renames the file of the main output into place, if that has not been done, and writes b
// and everything that is buffered. A compressed output ends a part there, since it could not be read
// otherwise. The caller holds the lock.
func (o *Set) WriteAhead(b []byte) error {
	main := o.main
	if f := main.file; f != nil && f.Temp != "" {
		if err := identify(o.inputs).check(f.name, f.replaced); err != nil {
			return err
		}
		if err := f.placeEarly(o.NoSync); err != nil {
			return err
		}
	}
	main.w.Write(b) // an error is returned again by end
	err := main.end()
	if f := main.file; f != nil && f.early {
		if err != nil { // such as a full disk
			if cerr := f.Truncate(f.whole); cerr != nil {
				err = errors.Join(err, cerr)
			}
			return err
		}
		f.whole, err = f.Seek(0, io.SeekCurrent)
	}
	if err == nil {
		main.pack, err = write.Compress(main.raw, main.packing)
		main.w.Reset(main.pack)
	}
	return err
}

func (o *output) close() error {
	if o.w == nil {
		return nil // the output was never opened
	}
	return o.end()
}

// end writes everything that is buffered, and the end of a compressed output.
func (o *output) end() error {
	err := o.w.Flush()
	if cerr := o.pack.Close(); err == nil {
		err = cerr
	}
	if s, ok := o.raw.(interface{ Flush() error }); ok && err == nil {
		err = s.Flush()
	}
	if _, named := err.(*fs.PathError); err != nil && !named {
		err = fmt.Errorf("writing output: %w", err)
	}
	return err
}
