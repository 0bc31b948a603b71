package pipeline

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"syscall"

	"doppel/pkg/chain"
	"doppel/pkg/spill"
	"doppel/pkg/tool"
)

// A run is a plan under way.
type run struct {
	e         *tool.Env
	verbose   bool              // each chain is told as it starts
	files     []*os.File        // what stages see as /dev/fd/3, …
	outputs   map[string]string // where they are until all is well, by the names that they get then
	tells     int               // the descriptor by which stages tell how far they are, or 0
	maxRSS    int64
	tolerated bool
}

// newRun returns the run of a command.
func newRun(e *tool.Env, verbose bool) *run {
	r := &run{e: e, verbose: verbose, outputs: map[string]string{}}
	r.watch(e)
	return r
}

// plan runs all steps; the output of the last goes to out. The error of a stage, which
// has told of it, is the status of the whole.
func (r *run) plan(p Plan, out io.Writer) error { return r.ended(r.steps(p, out)) }

func (r *run) steps(p Plan, out io.Writer) error {
	for _, step := range p {
		to := out
		if step.into != nil {
			if err := r.open(step.into); err != nil {
				return err
			}
			to = step.into.file
		}
		if err := r.step(step, to); err != nil {
			return err
		}
	}
	return nil
}

// open makes a scratch file, or opens what was given, unless that is done.
func (r *run) open(s *scratch) (err error) {
	if s.file != nil {
		return nil
	}
	if s.given != "" {
		s.file, err = os.Open(s.given)
	} else {
		s.file, err = spill.Create()
	}
	if err == nil {
		r.hand(s.file)
		s.fd = 2 + len(r.files)
	}
	return err
}

// hand hands a file on to all stages, and returns the name by which they open it.
func (r *run) hand(f *os.File) string {
	r.files = append(r.files, f)
	return fmt.Sprintf("/dev/fd/%d", 2+len(r.files))
}

// step runs one chain.
func (r *run) step(s step, out io.Writer) error {
	in, err := r.input(s)
	if err != nil {
		return err
	}
	if in, ok := in.(io.Closer); ok && s.source != nil {
		defer in.Close()
	}
	if len(s.stages) == 0 {
		_, err := io.Copy(out, in)
		return err
	}
	c, err := r.chain(s.stages)
	if err != nil {
		return err
	}
	return r.launch(c, in, out)
}

// input returns what the first stage reads, or nil.
func (r *run) input(s step) (io.Reader, error) {
	switch {
	case s.source != nil:
		return s.source.open()
	case s.stdin:
		return r.e.Inherited(), nil
	}
	return nil, nil
}

// chain returns the commands of stages.
func (r *run) chain(stages []Stage) (c chain.Chain, err error) {
	for _, s := range stages {
		argv := program(s.program)
		for _, w := range s.words {
			arg, err := r.argument(w)
			if err != nil {
				return nil, err
			}
			argv = append(argv, arg)
		}
		c = append(c, chain.Stage{Name: s.program, Argv: argv})
	}
	return c, nil
}

// argument returns a word as a program gets it.
func (r *run) argument(w word) (string, error) {
	switch {
	case w.scratch != nil:
		if err := r.open(w.scratch); err != nil {
			return "", err
		}
		return w.text + w.scratch.path() + w.called, nil
	case w.output != "":
		name, err := r.output(w)
		return w.text + name, err
	case w.late != nil:
		return w.text + w.late(), nil
	}
	return w.text, nil
}

// output returns where an output is that a stage writes, and further ones may read.
func (r *run) output(w word) (name string, err error) {
	if w.reads {
		return r.outputs[w.output], nil
	}
	if f, ok, err := tool.OpenDescriptor(w.output); ok {
		return r.hand(f), err // the stages have others of that number
	}
	name, err = r.e.Delegate(w.output, w.main)
	r.outputs[w.output] = name
	return name, err
}

// launch runs a chain and notes what it took.
func (r *run) launch(c chain.Chain, in io.Reader, out io.Writer) error {
	if r.verbose {
		r.e.Note("running %s", c)
	}
	r.tellAll(c)
	runner := &chain.Runner{Stdin: in, Stdout: out, Stderr: r.e.Stderr, Files: r.files}
	if r.e.KeepGoing {
		runner.Tolerates = leftOut
	}
	r.e.BeforeSignal(runner.Stop)
	res, err := runner.Run(c)
	r.e.BeforeSignal(nil)
	r.maxRSS = max(r.maxRSS, res.MaxRSS)
	if res.Tolerated && !r.tolerated {
		r.tolerated = true
		r.e.Trouble()
	}
	return err
}

// leftOut reports whether a stage that ended so has left bad records out, and done all
// else. Of a stage that was not told to, that status is of the first one, at which it ended.
func leftOut(s chain.Stage, status int) bool {
	return status == tool.ExitTrouble && slices.Contains(s.Argv, "--keep-going")
}

// ended turns the failure of a stage, which has told of it, into the status of
// the whole: 2, whatever the stage means by its own.
func (r *run) ended(err error) error {
	var se *chain.StageError
	if !errors.As(err, &se) {
		return err
	}
	if se.Signal == syscall.SIGPIPE {
		r.e.Stdout.Write([]byte{'\n'}) // nobody reads; this ends us as it ended the stage
	}
	if se.Status > 0 {
		return tool.Exit(tool.ExitTrouble)
	}
	return err
}
