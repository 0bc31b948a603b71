package chain

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
)

// A Runner says where a chain's streams go and what its stages inherit. It runs one
// chain.
type Runner struct {
	Stdin          io.Reader // nil: nothing
	Stdout, Stderr io.Writer
	Files          []*os.File // they are /dev/fd/3, /dev/fd/4, … in every stage

	// Tolerates reports whether a status of a stage, besides 0, is no failure; nil: none is.
	Tolerates func(s Stage, status int) bool

	mu      sync.Mutex
	started []*exec.Cmd
	stopped bool
}

// A Result tells of a chain that has ended.
type Result struct {
	MaxRSS    int64 // bytes, of the largest process
	Tolerated bool  // some stage ended with a status that is tolerated
}

// A StageError is the failure of a stage, which has told of it itself.
type StageError struct {
	Stage  string
	Status int            // its exit status, or -1
	Signal syscall.Signal // that ended it, or 0
}

func (e *StageError) Error() string {
	if e.Signal != 0 {
		return fmt.Sprintf("%s was ended by a signal: %v", e.Stage, e.Signal)
	}
	return fmt.Sprintf("%s failed with status %d", e.Stage, e.Status)
}

// Run runs the chain and waits for all of it. A stage that ends because its
// reader has failed is no news: the error is that of the last stage that
// failed by itself.
func (r *Runner) Run(c Chain) (Result, error) {
	err := r.start(c)
	cmds := r.started
	if err != nil {
		for _, cmd := range cmds {
			cmd.Process.Kill()
			cmd.Wait()
		}
		return Result{}, err
	}
	var res Result
	var failed error
	for i, cmd := range cmds {
		err := r.judge(c[i], cmd.Wait(), cmd.ProcessState, &res)
		if se, ok := err.(*StageError); err != nil && (failed == nil || !ok || se.Signal != syscall.SIGPIPE) {
			failed = err
		}
	}
	return res, failed
}

// start starts all stages with pipes between them.
func (r *Runner) start(c Chain) (err error) {
	var from *os.File
	messages := inTurn(r.Stderr)
	for i, stage := range c {
		cmd := exec.Command(stage.Argv[0], stage.Argv[1:]...)
		cmd.Stderr, cmd.ExtraFiles, cmd.Stdout = messages, r.Files, r.Stdout
		cmd.SysProcAttr = attributes()
		if cmd.Stdin = r.Stdin; i > 0 {
			cmd.Stdin = from
		}
		var to, next *os.File
		if i < len(c)-1 {
			if next, to, err = os.Pipe(); err != nil {
				return err
			}
			cmd.Stdout = to
		}
		err = r.add(cmd)
		closeAll(from, to) // the stage has its own
		if err != nil {
			closeAll(next)
			return err
		}
		from = next
	}
	return nil
}

// A turnstile lets one write pass at a time.
type turnstile struct {
	mu sync.Mutex
	w  io.Writer
}

func (t *turnstile) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.w.Write(b)
}

// inTurn returns what several stages may write to at once: files are such.
func inTurn(w io.Writer) io.Writer {
	if _, file := w.(*os.File); file || w == nil {
		return w
	}
	return &turnstile{w: w}
}

// errStopped is the error of a stage that was not started any more.
var errStopped = errors.New("stopped")

// add starts a stage, unless the chain is being stopped.
func (r *Runner) add(cmd *exec.Cmd) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stopped {
		return errStopped
	}
	err := cmd.Start()
	if err == nil {
		r.started = append(r.started, cmd)
	}
	return err
}

// Stop sends a signal to all stages and waits until they have ended, so that none
// writes any more. It may be called while Run runs; no stage is started later.
func (r *Runner) Stop(s os.Signal) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stopped = true
	for _, cmd := range r.started {
		cmd.Process.Signal(s)
	}
	for _, cmd := range r.started {
		await(cmd.Process.Pid)
	}
}

func closeAll(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			f.Close()
		}
	}
}

// judge turns the end of a stage into an error and adds what it used.
func (r *Runner) judge(s Stage, err error, state *os.ProcessState, res *Result) error {
	if state == nil {
		return err
	}
	if u, ok := state.SysUsage().(*syscall.Rusage); ok {
		res.MaxRSS = max(res.MaxRSS, maxRSS(u))
	}
	switch code := state.ExitCode(); {
	case err == nil:
		return nil
	case code > 0 && r.Tolerates != nil && r.Tolerates(s, code):
		res.Tolerated = true
		return nil
	default:
		se := &StageError{Stage: s.Name, Status: code}
		if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
			se.Signal = ws.Signal()
		}
		return se
	}
}
