package tool

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"doppel/pkg/record"
)

// output is one place that a run writes to: standard output, the file of -o,
// or another file that it was told to write.
type output struct {
	w    *bufio.Writer
	pack io.WriteCloser // between w and raw
	raw  io.Writer
	file *atomicFile // nil: raw is not ours to close
}

// openOutput sets e.Out.
func (e *Env) openOutput() error {
	o := &output{raw: e.Stdout}
	if e.OutputName != "" && e.OutputName != "-" {
		if err := o.create(e.OutputName); err != nil {
			return err
		}
	}
	e.outputs = []*output{o}
	e.removeOnSignal()
	return e.Compress(record.CompressionOf(e.OutputName))
}

// Redirect sends the output to the named file, as -o does, for commands that
// learn the name from elsewhere. It is called before anything is written.
func (e *Env) Redirect(name string) error {
	e.mu.Lock()
	err := e.outputs[0].create(name)
	e.mu.Unlock()
	if err != nil {
		return err
	}
	e.OutputName = name
	return e.Compress(record.CompressionOf(name))
}

func (o *output) create(name string) error {
	f, err := createFile(name)
	o.raw, o.file = f, f
	return err
}

// Compress says how the output is compressed, if not as the name of -o does.
// It is called before anything is written.
func (e *Env) Compress(c record.Compression) error {
	err := e.outputs[0].compress(c)
	e.Out = e.outputs[0].w
	return err
}

func (o *output) compress(c record.Compression) (err error) {
	o.pack, err = c.NewWriter(o.raw)
	o.w = bufio.NewWriterSize(o.pack, 1<<16)
	return err
}

// Create opens another file that the run writes, as -o opens its own:
// compressed if its name says so, and in its place when the run succeeded.
func (e *Env) Create(name string) (*bufio.Writer, error) {
	o := &output{}
	if err := o.create(name); err != nil {
		return nil, err
	}
	e.mu.Lock()
	e.outputs = append(e.outputs, o)
	e.mu.Unlock()
	err := o.compress(record.CompressionOf(name))
	return o.w, err
}

// removeOnSignal removes half-written files when the user interrupts.
func (e *Env) removeOnSignal() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		s := <-c
		e.mu.Lock()
		for _, o := range e.outputs {
			o.file.remove()
		}
		signal.Reset(s)
		syscall.Kill(os.Getpid(), s.(syscall.Signal))
	}()
}

// closeOutputs flushes all outputs and then puts the files in their places,
// or removes them all when anything failed. A full disk shows up here.
func (e *Env) closeOutputs(err error) error {
	for _, o := range e.outputs {
		if cerr := o.close(); err == nil {
			err = cerr
		}
	}
	for _, o := range e.outputs {
		if ferr := o.file.finish(err); err == nil {
			err = ferr
		}
	}
	return err
}

func (o *output) close() error {
	err := o.w.Flush()
	if cerr := o.pack.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		err = fmt.Errorf("writing output: %w", err)
	}
	return err
}
