package tool

import (
	"errors"
)

// A Producer is a tool that can pass its results as Go values to the next stage in the same
// process.
type Producer interface {
	// Produce returns a source that computes its values on demand. The next stage reads it between
	// Env.Begin and Env.End of this stage. If Produce returns nil, the tool writes lines instead.
	Produce(e *Env, operands []string) any
}

// A Taker is a tool that can read the values of the previous stage from Env.Upstream. Takes reports
// whether the tool can read the given values.
type Taker interface {
	Takes(values any) bool
}

// Stage returns the Env for a tool that runs as a stage of the run e, in the same process. On a
// signal, the unfinished outputs of the stage are removed with those of the run.
func (e *Env) Stage(name string, std Std) *Env {
	s := &Env{Std: std, Name: name, shared: e.shared, parent: e}
	s.outputs.Called = s.Called
	e.outputs.AddStage(&s.outputs)
	return s
}

// Follow makes the run show the progress of the given stages, or its own progress if none are
// given.
func (e *Env) Follow(stages ...*Env) {
	p := &e.Progress
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stages = nil
	for _, s := range stages {
		p.stages = append(p.stages, &stage{name: s.Name, Progress: &s.Progress})
	}
}

// Begin checks the options of the tool that runs as this stage, and opens its output.
func (e *Env) Begin(o Options, operands []string) error {
	err := o.Check()
	if err == nil {
		e.Common = o.SharedOptions().Settled()
		e.outputs.NoSync = true // the run syncs the files before it renames them
		e.outputs.Reads(operands...)
		err = e.open(e.packing(e.OutputName))
	}
	return e.failed(err)
}

// End renames the outputs of a stage into place if err is nil, and removes them otherwise. It
// returns a stageError if the stage has failed. If the stage has reported errors with Warn or
// Trouble, the exit status of the run becomes 2.
func (e *Env) End(err error) error {
	err = e.outputs.Close(err)
	if e.troubles.Load() > 0 {
		e.parent.Trouble()
	}
	return e.failed(err)
}

// failed wraps an error in a stageError, unless the error already wraps one.
func (e *Env) failed(err error) error {
	if of := (*stageError)(nil); err == nil || errors.As(err, &of) {
		return err
	}
	return &stageError{e.Name, err}
}
