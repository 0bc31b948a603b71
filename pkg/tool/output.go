package tool

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
)

// output is where a run writes. A regular file named by -o is written beside
// its place and renamed at the end, so that it is whole or untouched; what is
// no regular file (a device, a pipe) is written through, never replaced.
type output struct {
	file   *os.File // nil: standard output
	beside string   // the name until the rename, "" where written through
	place  string
}

// openOutput sets e.Out.
func (e *Env) openOutput() error {
	e.output = &output{}
	var w io.Writer = e.Stdout
	if e.OutputName != "" && e.OutputName != "-" {
		if err := e.output.create(e.OutputName); err != nil {
			return err
		}
		w = e.output.file
	}
	e.Out = bufio.NewWriterSize(w, 1<<16)
	return nil
}

func (o *output) create(name string) (err error) {
	if info, serr := os.Stat(name); serr == nil && !info.Mode().IsRegular() {
		o.file, err = os.OpenFile(name, os.O_WRONLY, 0)
		return err
	}
	if real, rerr := filepath.EvalSymlinks(name); rerr == nil {
		name = real // replace what a link points to, not the link
	}
	o.place = name
	o.file, err = os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	o.beside = o.file.Name()
	o.removeOnSignal()
	return nil
}

// removeOnSignal removes the half-written file when the user interrupts.
func (o *output) removeOnSignal() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		s := <-c
		os.Remove(o.beside)
		signal.Reset(s)
		syscall.Kill(os.Getpid(), s.(syscall.Signal))
	}()
}

// closeOutput flushes the output and puts the file of -o in its place, or
// removes it when the run failed. A full disk shows up here.
func (e *Env) closeOutput(err error) error {
	if ferr := e.Out.Flush(); err == nil && ferr != nil {
		err = fmt.Errorf("writing output: %w", ferr)
	}
	if e.output.file == nil {
		return err
	}
	return e.output.finish(err)
}

func (o *output) finish(err error) error {
	if err == nil && o.beside != "" {
		err = o.file.Chmod(o.mode())
	}
	if cerr := o.file.Close(); err == nil {
		err = cerr
	}
	if o.beside == "" {
		return err
	}
	if err == nil {
		err = os.Rename(o.beside, o.place)
	}
	if err != nil {
		os.Remove(o.beside)
	}
	return err
}

// mode returns the mode of the file that is replaced, or that of a new one.
func (o *output) mode() os.FileMode {
	if info, err := os.Stat(o.place); err == nil {
		return info.Mode().Perm()
	}
	mask := syscall.Umask(0)
	syscall.Umask(mask)
	return os.FileMode(0o666 &^ mask)
}
