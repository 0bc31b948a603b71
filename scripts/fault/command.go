//go:build linux

package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// A command is one run of a tool, or of a shell, in a room.
type command struct {
	args  []string
	wrap  []string // a program and its options that run args: strace, prlimit
	dir   string   // within the room
	env   []string // besides PATH, TMPDIR and HOME
	stdin io.Reader
	limit time.Duration // a run that takes longer hangs; default hang
	most  int           // MiB that all its processes may hold; default heap
}

const (
	hang = 2 * time.Minute
	heap = 3 << 10
	shot = 64 << 20 // how many bytes of an output are looked at
)

// An outcome is what came back from a command.
type outcome struct {
	status         int // of the process; 128 and the signal, if one ended it
	stdout, stderr string
	cpu, wall      time.Duration
	peak           int // MiB, as far as the guard saw it
	hung, bloated  bool
	left           []process // still there when the command had ended
}

// A run is a command that has been started.
type run struct {
	room  *room
	cmd   *exec.Cmd
	began time.Time
	ended chan struct{}
	name  string // of the files that hold its output
	guard *guard
}

// do runs args with nothing on standard input.
func (r *room) do(args ...string) outcome { return r.run(command{args: args}) }

// sh runs a script of bash, which knows <(…) and pipefail.
func (r *room) sh(script string) outcome { return r.run(command{args: []string{"bash", "-c", script}}) }

func (r *room) run(c command) outcome {
	p, err := r.start(c)
	if err != nil {
		r.breaks(err)
		return outcome{status: -1, stderr: err.Error()}
	}
	return p.wait()
}

// start starts a command as the leader of a session, by which all that it
// starts is found again. Output goes to files: a pipe would keep a run waiting
// for processes that should be gone.
func (r *room) start(c command) (*run, error) {
	argv := slices.Concat(c.wrap, c.args)
	r.log = append(r.log, c.shellText())
	r.runs++
	p := &run{room: r, ended: make(chan struct{}), name: fmt.Sprintf("run%d", r.runs)}
	p.cmd = exec.Command(r.find(argv[0]), argv[1:]...)
	p.cmd.Dir = filepath.Join(r.dir, c.dir)
	p.cmd.Env = r.environment(c.env)
	p.cmd.Stdin = c.stdin
	p.cmd.WaitDelay = time.Second
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	out, err := os.Create(r.path(p.name + ".out"))
	if err != nil {
		return nil, err
	}
	defer out.Close()
	message, err := os.Create(r.path(p.name + ".err"))
	if err != nil {
		return nil, err
	}
	defer message.Close()
	p.cmd.Stdout, p.cmd.Stderr = out, message
	p.began = time.Now()
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	p.guard = watch(p.cmd.Process.Pid, c, p.ended)
	return p, nil
}

// find looks for a program among the tools first.
func (r *room) find(name string) string {
	if own := filepath.Join(r.bin, name); exists(own) {
		return own
	}
	return name
}

func (r *room) environment(more []string) []string {
	return append([]string{"PATH=" + r.bin + ":" + os.Getenv("PATH"), "TMPDIR=" + r.path("t"), "HOME=" + r.dir, "LC_ALL=C.UTF-8"}, more...)
}

// wait waits until the command has ended, and holds it to the rules that hold
// for every run.
func (p *run) wait() outcome {
	o := p.waitAlone()
	p.room.breaks(o.clean())
	return o
}

// waitAlone only waits; it may be called of several runs at one time.
func (p *run) waitAlone() outcome {
	p.cmd.Wait() // the state tells
	close(p.ended)
	<-p.guard.done
	return p.outcome()
}

func (p *run) outcome() outcome {
	state := p.cmd.ProcessState
	o := outcome{
		status:  state.ExitCode(),
		stdout:  head(p.room.path(p.name + ".out")),
		stderr:  head(p.room.path(p.name + ".err")),
		cpu:     state.UserTime() + state.SystemTime(),
		wall:    time.Since(p.began),
		peak:    p.guard.peak,
		hung:    p.guard.hung,
		bloated: p.guard.bloated,
		left:    gone(p.cmd.Process.Pid),
	}
	if s := state.Sys().(syscall.WaitStatus); s.Signaled() {
		o.status = 128 + int(s.Signal())
	}
	return o
}
