//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// An injection runs a command and injects a fault into the run; took is the duration of an
// undisturbed run.
type injection func(s *sandbox, c command, took time.Duration) outcome

// undisturbed runs a command without injecting a fault. It is used in sandboxes that already
// contain one, such as a full disk.
func undisturbed(s *sandbox, c command, _ time.Duration) outcome { return s.run(c) }

// wrapped returns an injection that runs the command through another program, such as
// prlimit(1).
func wrapped(words ...string) injection {
	return func(s *sandbox, c command, _ time.Duration) outcome {
		c.wrap = words
		return s.run(c)
	}
}

// atCall returns an injection in which strace(1) tampers with system calls of a set. The fault and
// the number of the call in each thread are given in the form that strace expects, for example
// signal=9 or error=ENOSPC, and 3 or 2+. More options may select calls on one file.
func atCall(set, what, when string, more ...string) injection {
	return func(s *sandbox, c command, _ time.Duration) outcome {
		s.must(mayTrace())
		c.wrap = slices.Concat([]string{"strace", "-f", "-qqq", "--seccomp-bpf", "-o", "/dev/null",
			"-e", "trace=" + set, "-e", fmt.Sprintf("inject=%s:%s:when=%s", set, what, when)}, more)
		return s.run(c)
	}
}

// mayTrace returns an error if strace is not installed or not permitted. The result of the first
// call is cached.
var mayTrace = sync.OnceValue(func() error {
	if err := exec.Command("strace", "-f", "-o", "/dev/null", "true").Run(); err != nil {
		return notTried{fmt.Sprintf("strace: %v", err), !errors.Is(err, exec.ErrNotFound)}
	}
	return nil
})

// meanwhile returns an injection that calls the function do while the command runs.
func meanwhile(do func(s *sandbox, p *process, took time.Duration)) injection {
	return func(s *sandbox, c command, took time.Duration) outcome {
		p := s.start(c)
		do(s, p, took)
		return p.wait()
	}
}

var signals = []struct {
	name   string
	number syscall.Signal
}{{"KILL", syscall.SIGKILL}, {"TERM", syscall.SIGTERM}}

// fileCalls are the system calls that create, remove, rename, change and lock files.
var fileCalls = []struct{ name, set string }{
	{"rename", "rename,renameat,renameat2"},
	{"create", "openat"},
	{"sync", "fsync,fdatasync"},
	{"chmod", "fchmod,fchmodat"},
	{"unlink", "unlink,unlinkat"},
	{"link", "link,linkat"},
	{"write", "write,pwrite64"},
	{"lock", "flock,fcntl"},
}

// moments is the number of moments of a run at which each signal is sent.
const moments = 60

// addKills adds, for each job, cases with a signal at moments spread over the run, and cases with
// a signal at the first four system calls of each set in fileCalls, because a signal at a random
// moment seldom hits such a call.
func addKills(p *plan) {
	for _, j := range jobs {
		for _, sig := range signals {
			add := func(inject injection, where string, i int) {
				p.add(func(s *sandbox) error {
					ref, o := j.inject(s, inject)
					return j.checkStopped(s, ref, o, sig.number)
				}, "kill/%s/%s/%s/%02d", j.name, sig.name, where, i)
			}
			for i := range moments {
				add(meanwhile(func(s *sandbox, p *process, took time.Duration) {
					time.Sleep(time.Duration((float64(i) + s.rand.Float64()) / moments * 1.1 * float64(took)))
					p.cmd.Process.Signal(sig.number)
					s.log = append(s.log, fmt.Sprintf("# %v after %v", sig.number, time.Since(p.began)))
				}), "moment", i)
			}
			for _, c := range fileCalls {
				for n := 1; n <= 4; n++ {
					add(atCall(c.set, fmt.Sprintf("signal=%d", int(sig.number)), strconv.Itoa(n)), c.name, n)
				}
			}
		}
	}
}

// The functions below return the contents of the files that a job changes in place. A disturbed
// run must not lose any contents that an undisturbed run leaves.

func fileContents(s *sandbox) map[string]bool {
	all := map[string]bool{}
	s.eachFile("i/tree", func(_, data string) { all[data] = true })
	return all
}

func namedContents(s *sandbox) map[string]bool {
	all := map[string]bool{}
	s.eachFile("i/tree", func(name, data string) { all[name+" "+data] = true })
	return all
}

var messageHead = regexp.MustCompile("(?m)^X-Unit: .*$")

// completeMessages returns the X-Unit lines of all complete messages. A message is complete if a
// single file contains both its start and its end.
func completeMessages(s *sandbox) map[string]bool {
	all := map[string]bool{}
	s.eachFile("i", func(_, data string) {
		for _, head := range messageHead.FindAllString(data, -1) {
			if strings.Contains(data, strings.Replace(head, "X-Unit: ", "--end of ", 1)+"--") {
				all[head] = true
			}
		}
	})
	return all
}

// nothingLost is the rule for jobs that remove copies: a run that is stopped at any moment loses
// no content, and the next run completes the work.
func (j job) nothingLost(s *sandbox, ref *reference, _ outcome, outright bool) error {
	lost := func() (err error) {
		now := j.contents(s)
		for content := range ref.left {
			if !now[content] {
				err = fmt.Errorf("lost: %s", excerpt(content))
			}
		}
		return err
	}
	err := lost()
	s.eachFile("i", func(name, _ string) {
		if (strings.Contains(name, "/.doppel-") || strings.HasSuffix(name, ".lock")) && !outright {
			err = errors.Join(err, fmt.Errorf("file left after the run: %q", name))
		}
	})
	if err != nil {
		return err
	}
	os.Remove(s.path("i/box.lock")) // SIGKILL leaves the lock, which the owner of the mbox has to remove
	if err := s.run(j.command(s)).succeeded(); err != nil {
		return fmt.Errorf("the next run: %w", err)
	}
	return lost()
}
