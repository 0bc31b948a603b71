package plan

import (
	"context"
	"errors"
	"io"
	"runtime/pprof"
	"strings"
	"sync"

	"doppel/pkg/tool"
)

// A stage gets one of these errors if its neighbour in the pipeline has ended. The errors are not
// printed, because a neighbour that failed prints its own error.
var (
	errNoWriter = errors.New("the previous stage has failed")
	errNoReader = errors.New("the next stage has ended")
)

// step runs the stages of one step. If a stage can pass values to the next stage, both run in one
// goroutine. Otherwise both run concurrently, and the next stage reads lines from a pipe.
func (b *Builder) step(s Step, out io.Writer) error {
	var in io.Reader = strings.NewReader("")
	if s.Stdin {
		in = b.Env.Stdin
	}
	if s.Source != nil {
		opened, err := s.Source.Open()
		if err != nil {
			return err
		}
		defer opened.Close()
		in = opened
	}
	if len(s.Stages) == 0 {
		return copySource(s.Source, out, in)
	}
	if b.Verbose {
		all := make([]string, len(s.Stages))
		for i, one := range s.Stages {
			all[i] = shell{}.line(one.words())
		}
		b.Env.Note("running %s", strings.NewReplacer(b.named...).Replace(strings.Join(all, " | ")))
	}
	envs, errs := make([]*tool.Env, len(s.Stages)), make([]error, len(s.Stages))
	var stages sync.WaitGroup
	var values any
	first := 0 // index of the first stage that shares a goroutine with stage i
	for i, one := range s.Stages {
		e := b.Env.Stage(one.Tool, tool.Std{Stdin: in, Stdout: out, Stderr: b.Env.Stderr})
		e.Reported, e.Upstream = one.Reported, values
		if envs[i], values = e, nil; i < len(s.Stages)-1 {
			if values = sharedValues(one, s.Stages[i+1], e); values != nil {
				continue
			}
			in, e.Stdout = io.Pipe()
		}
		together := envs[first : i+1]
		stages.Go(func() {
			label(s, one)
			errs[i] = runStage(one, e, together)
		})
		first = i + 1
	}
	b.Env.Follow(envs...)
	stages.Wait()
	b.Env.Follow()
	var failed error // error of the last failed stage; the loop prints those of other failed stages
	for i, err := range errs {
		if one := s.Stages[i]; one.counts != nil && envs[i].Counted != nil {
			*one.counts = *envs[i].Counted
		}
		if err == nil || errors.Is(err, errNoWriter) || errors.Is(err, errNoReader) {
			continue
		}
		if failed != nil {
			b.Env.Warn(failed)
		}
		failed = err
	}
	return failed
}

// label names a step and a stage in profiles of the goroutines that the stage starts.
func label(s Step, of Stage) {
	names := make([]string, len(s.Stages))
	for i, one := range s.Stages {
		names[i] = one.Tool
	}
	labels := pprof.Labels("step", strings.Join(names, "|"), "stage", of.Tool)
	pprof.SetGoroutineLabels(pprof.WithLabels(context.Background(), labels))
}

// copySource copies the open input of a source.
func copySource(s *Source, out io.Writer, in io.Reader) error {
	if s.Copy != nil {
		return s.Copy(out, in)
	}
	_, err := io.Copy(out, in)
	return err
}

// sharedValues returns the values that a stage passes directly to the next stage, or nil if a pipe
// must connect the stages.
func sharedValues(one, next Stage, e *tool.Env) any {
	producer, produces := one.Options.(tool.Producer)
	taker, takes := next.Options.(tool.Taker)
	if !produces || !takes || len(next.Operands) > 0 {
		return nil
	}
	if values := producer.Produce(e, one.Operands); values != nil && taker.Takes(values) {
		return values
	}
	return nil
}

// runStage runs a stage, then closes the pipes of every stage that shares its goroutine, so that
// the neighbouring stages end too.
func runStage(s Stage, e *tool.Env, together []*tool.Env) error {
	if s.Begin != nil {
		s.Begin()
	}
	err := e.Begin(s.Options, s.Operands)
	if err == nil {
		err = e.End(s.Options.Run(e, s.Operands))
	}
	for _, e := range together {
		if to, ok := e.Stdout.(*io.PipeWriter); ok && err != nil {
			to.CloseWithError(errNoWriter)
		} else if ok {
			to.Close()
		}
		if from, ok := e.Stdin.(*io.PipeReader); ok {
			from.CloseWithError(errNoReader)
		}
	}
	return err
}

// A Counter counts the bytes written through it, so that a command knows whether its plan wrote any.
type Counter struct {
	W io.Writer
	N int64
}

func (c *Counter) Write(b []byte) (int, error) {
	n, err := c.W.Write(b)
	c.N += int64(n)
	return n, err
}
