//go:build linux

package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"
)

// A command describes a run of a tool or a shell in a sandbox.
type command struct {
	args  []string
	wrap  []string      // program and options put before args, such as strace -f
	stdin []byte        // standard input, written to a pipe in pieces of random size
	limit time.Duration // processor time of each process, default 2 minutes; the wall-clock limit is five times that
	most  int           // MiB of memory that each process may allocate, default 3 GiB
}

// An outcome is the result of a command.
type outcome struct {
	status         int // exit status of the process; 128 plus the signal number if a signal ended it
	stdout, stderr string
	cpu, wall      time.Duration
	hung           bool
	left           map[int]string // names of processes still running after the command ended, by process id
}

// do runs a command, given by its words, without standard input.
func (s *sandbox) do(args ...string) outcome { return s.run(command{args: args}) }

// sh runs a bash script, which may use <(…) and pipefail.
func (s *sandbox) sh(script string) outcome { return s.do("bash", "-c", script) }

// run runs a command as the leader of a new session, so that the harness finds all processes that
// the command starts: they belong to the session. The output goes to files: with a pipe, the harness
// would wait for every process that has inherited the pipe, even after the command has ended.
func (s *sandbox) run(c command) outcome {
	s.log = append(s.log, c.shellText())
	limit, most := cmp.Or(c.limit, 2*time.Minute), cmp.Or(c.most, 3<<10)
	argv := slices.Concat([]string{"prlimit", fmt.Sprintf("--cpu=%.0f:%d", math.Ceil(limit.Seconds()), 1<<20), fmt.Sprint("--data=", most<<20)}, c.wrap, c.args)
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = s.dir
	cmd.Env = []string{"PATH=" + s.bin + ":" + os.Getenv("PATH"), "TMPDIR=" + s.path("t"), "HOME=" + s.dir, "LC_ALL=C.UTF-8"}
	if c.stdin != nil {
		cmd.Stdin = &slowReader{c.stdin, rand.New(rand.NewPCG(1, 2))}
	}
	cmd.WaitDelay = time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	stdout, err := os.Create(s.path("run.out"))
	s.must(err)
	defer stdout.Close()
	stderr, err := os.Create(s.path("run.err"))
	s.must(err)
	defer stderr.Close()
	cmd.Stdout, cmd.Stderr = stdout, stderr
	began := time.Now()
	s.must(cmd.Start())
	leader := cmd.Process.Pid
	alarm := time.AfterFunc(5*limit, func() { killAll(session(leader)) })
	cmd.Wait() // the error is not needed: ProcessState has the status
	rang, state := !alarm.Stop(), cmd.ProcessState
	left := session(leader)
	for end := time.Now().Add(grace); len(left) > 0 && time.Now().Before(end); left = session(leader) {
		time.Sleep(5 * time.Millisecond)
	}
	killAll(left)
	o := outcome{status: state.ExitCode(), cpu: state.UserTime() + state.SystemTime(), wall: time.Since(began), left: left}
	if w := state.Sys().(syscall.WaitStatus); w.Signaled() {
		o.status = 128 + int(w.Signal())
	}
	o.hung = rang || o.status == 128+int(syscall.SIGXCPU)
	o.stdout, o.stderr = s.read("run.out"), s.read("run.err")
	s.broken = errors.Join(s.broken, o.clean())
	return o
}

func killAll(processes map[int]string) {
	for pid := range processes {
		syscall.Kill(pid, syscall.SIGKILL)
	}
}

// A slowReader returns data in pieces of random size, from one byte up, so the reader of
// the pipe gets short reads.
type slowReader struct {
	data []byte
	rand *rand.Rand
}

func (r *slowReader) Read(p []byte) (int, error) {
	if len(r.data) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), 1+r.rand.IntN(1<<r.rand.IntN(16)))], r.data)
	r.data = r.data[n:]
	return n, nil
}

// measurePeak is a Python program that runs a command and writes its peak memory in KiB to a
// file. Linux includes the memory of the parent process in a child's peak, so the command must be
// started by a small process, not by the harness.
const measurePeak = `import resource, subprocess, sys
status = subprocess.call(sys.argv[2:])
open(sys.argv[1], "w").write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
sys.exit(status if status >= 0 else 128 - status)`

// runMeasured runs a command and also returns its peak memory in MiB.
func (s *sandbox) runMeasured(c command) (o outcome, peak int) {
	c.wrap = []string{"python3", "-c", measurePeak, "peak"}
	o = s.run(c)
	_, err := fmt.Sscan(s.read("peak"), &peak)
	s.must(errors.Join(o.clean(), err))
	return o, peak >> 10
}

// session returns the names of the running processes of a session, by process id.
func session(leader int) map[int]string {
	all := map[int]string{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range stats {
		text, _ := os.ReadFile(file)
		open, end := bytes.IndexByte(text, '('), bytes.LastIndexByte(text, ')')
		if open < 0 || end < 0 {
			continue // the process has ended since the listing
		}
		// The file is "pid (name) state parent group session …"; the name may contain any bytes.
		f := strings.Fields(string(text[end+1:]))
		if len(f) > 3 && f[0] != "Z" && f[0] != "X" && f[3] == strconv.Itoa(leader) {
			pid, _ := strconv.Atoi(strings.TrimSpace(string(text[:open])))
			all[pid] = string(text[open+1 : end])
		}
	}
	return all
}

// grace is how long the processes of a session may take to end after its leader has ended. It
// is long because the machine may be busy.
var grace = 10 * time.Second

// traceback matches what Go prints when a program crashes.
var traceback = regexp.MustCompile(`(?m)^(panic: |fatal error: |goroutine \d+ |SIG[A-Z]+: |runtime: )|\[signal SIG`)

// clean returns an error if a run broke one of the rules for every run: it must end before its
// time limit, without a traceback, with a documented exit status, without leaving processes
// behind, and without control characters in its messages.
func (o outcome) clean() error {
	var err error
	if o.hung {
		err = errors.New("hangs")
	} else if o.status > 2 && o.status < 124 {
		err = fmt.Errorf("status %d", o.status)
	}
	if line := traceback.FindString(o.stderr); line != "" && !o.runtimeGaveUp() {
		err = errors.Join(err, fmt.Errorf("traceback: %s", firstLines(o.stderr[strings.Index(o.stderr, line):], 3)))
	}
	if i := strings.IndexFunc(o.stderr, isControl); i >= 0 {
		err = errors.Join(err, fmt.Errorf("control character in a message: %q", o.stderr[max(0, i-40):min(len(o.stderr), i+20)]))
	}
	if len(o.left) > 0 {
		err = errors.Join(err, fmt.Errorf("processes still running after the run: %v", o.left))
	}
	return err
}

// runtimeGaveUp reports whether the Go runtime aborted because it could not wake a thread. No tool
// can prevent that.
func (o outcome) runtimeGaveUp() bool { return strings.Contains(o.stderr, "netpollBreak") }

// succeeded returns an error unless the status is 0.
func (o outcome) succeeded() error {
	if o.status != 0 {
		return fmt.Errorf("status %d: %s", o.status, firstLines(o.stderr, 2))
	}
	return nil
}

// wants returns an error unless the outcome has this status and output.
func (o outcome) wants(status int, stdout string) error {
	if o.status != status {
		return fmt.Errorf("status %d, want %d: %s", o.status, status, firstLines(o.stderr, 2))
	}
	return equal("output", o.stdout, stdout)
}

// refuses returns an error unless the run ended with status 2 and a message that contains the
// given words.
func (o outcome) refuses(words string) error {
	if o.status != 2 {
		return fmt.Errorf("status %d, want 2; output %s", o.status, excerpt(o.stdout))
	}
	if !strings.Contains(o.stderr, words) {
		return fmt.Errorf("message lacks %q: %s", words, firstLines(o.stderr, 2))
	}
	return nil
}

func equal(what, got, want string) error {
	if got != want {
		return fmt.Errorf("%s: %s, want %s", what, excerpt(got), excerpt(want))
	}
	return nil
}

// shellText returns the command as text to paste into a shell.
func (c command) shellText() string {
	var b strings.Builder
	for _, arg := range slices.Concat(c.wrap, c.args) {
		b.WriteString(quoted(arg) + " ")
	}
	if c.stdin != nil {
		fmt.Fprintf(&b, "< %d bytes", len(c.stdin))
	}
	return strings.TrimSuffix(b.String(), " ")
}

var plainWord = regexp.MustCompile(`^[%+,\-./:=@_0-9A-Za-z]+$`)

// quoted returns a word that bash reads as s. The word has no control characters, because
// failures are printed on a terminal.
func quoted(s string) string {
	switch {
	case plainWord.MatchString(s):
		return s
	case strings.IndexFunc(s, isControl) < 0 && utf8.ValidString(s):
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	var b strings.Builder
	for _, c := range []byte(s) {
		fmt.Fprintf(&b, "\\x%02x", c)
	}
	return "$'" + b.String() + "'"
}

// isControl reports whether c may change the state of a terminal.
func isControl(c rune) bool {
	return c < ' ' && c != '\n' && c != '\t' || c == 0x7f || c >= 0x80 && c < 0xa0
}

func firstLines(s string, n int) string {
	lines := strings.SplitN(s, "\n", n+1)
	return strings.Join(lines[:min(n, len(lines))], " / ")
}

func excerpt(s string) string {
	if len(s) > 200 {
		return fmt.Sprintf("%q… of %d bytes", s[:200], len(s))
	}
	return fmt.Sprintf("%q", s)
}
