package tool

import (
	"errors"
	"io/fs"
	"syscall"
)

// A StageError is the error of a stage of a run. Its message begins with the name of the
// stage, as that of a process would.
type StageError struct {
	Stage string
	Err   error
}

func (s *StageError) Error() string { return s.Stage + ": " + told(s.Err) }

func (s *StageError) Unwrap() error { return s.Err }

// A Producer is a tool that can hand its results to the next stage of its process as values.
type Producer interface {
	// Produce returns the values: what makes them when the next stage asks for them, by
	// Env.Begin and Env.End. Nil: the tool writes lines.
	Produce(e *Env, operands []string) any
}

// A Taker is a tool that takes values of the stage before it, from Env.Upstream.
type Taker interface {
	Takes(values any) bool
}

// Stage returns the Env of a tool that runs as a stage of this run, in the same process.
// A signal removes its outputs as well.
func (e *Env) Stage(name string, std Std) *Env {
	s := &Env{Std: std, Name: name, Shared: e.Shared, parent: e}
	e.outputs.adopt(&s.outputs)
	return s
}

// Follow shows the progress of these stages as that of the run.
func (e *Env) Follow(stages ...*Env) { e.Progress.follow(stages...) }

// Begin checks the options of the tool that the stage runs, and opens its output.
func (e *Env) Begin(o Options, operands []string) error {
	err := o.Check()
	if err == nil {
		e.Common = o.SharedOptions().Settled()
		e.outputs.noSync = true // the run syncs them, before it puts them in their places
		e.outputs.inputs = append(e.outputs.inputs, operands...)
		err = e.open(e.packing(e.OutputName))
	}
	return e.failed(err)
}

// End puts the outputs of a stage in their places if it ended without an error, and
// returns a StageError if it failed. Trouble of the stage is trouble of the run.
func (e *Env) End(err error) error {
	err = e.outputs.close(err)
	if e.troubles.Load() > 0 {
		e.parent.Trouble()
	}
	return e.failed(err)
}

// failed makes an error one of the stage, unless it is that of another stage.
func (e *Env) failed(err error) error {
	if of := (*StageError)(nil); err == nil || errors.As(err, &of) {
		return err
	}
	return &StageError{e.Name, err}
}

// brokenStdout reports whether an error says that nobody reads standard output any more.
func brokenStdout(err error) bool {
	var p *fs.PathError
	return errors.As(err, &p) && p.Path == "/dev/stdout" && errors.Is(p.Err, syscall.EPIPE)
}
