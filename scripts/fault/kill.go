//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// wrapped returns the command, run through another program, such as prlimit(1).
func (c command) wrapped(words ...string) command {
	c.wrap = words
	return c
}

// tampered returns the command, run with strace(1), which tampers with system calls of a set. The
// fault and the number of the call in each thread are given in the form that strace expects, for
// example signal=9 or error=ENOSPC, and 3 or 2+. More options may select calls on one file.
func (c command) tampered(set, what, when string, more ...string) command {
	return c.wrapped(slices.Concat([]string{"strace", "-f", "-qqq", "--seccomp-bpf", "-o", "/dev/null",
		"-e", "trace=" + set, "-e", fmt.Sprintf("inject=%s:%s:when=%s", set, what, when)}, more)...)
}

// mayTrace returns an error if strace is not installed or not permitted. The result of the first
// call is cached.
var mayTrace = sync.OnceValue(func() error {
	if err := exec.Command("strace", "-f", "-o", "/dev/null", "true").Run(); err != nil {
		return notTried{fmt.Sprintf("strace: %v", err), !errors.Is(err, exec.ErrNotFound)}
	}
	return nil
})

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

// addKills adds, for each job, cases with a signal at several system calls of each set in fileCalls,
// and at moments of the first quarter of a second, because strace counts the calls of each thread.
func addKills(p *plan) {
	for _, j := range jobs {
		for _, sig := range signals {
			add := func(stop func(s *sandbox, c command) command, where string, n int) {
				p.add(func(s *sandbox) error {
					ref := j.setUp(s)
					return j.checkStopped(s, ref, s.run(stop(s, j.command(s))), sig.number)
				}, "kill/%s/%s/%s/%02d", j.name, sig.name, where, n)
			}
			for i := range 25 {
				add(func(s *sandbox, c command) command {
					return c.wrapped("timeout", "--foreground", "--preserve-status", "-s", sig.name, fmt.Sprintf("%.3f", (float64(i)+s.rand.Float64())/100))
				}, "moment", i)
			}
			for _, c := range fileCalls {
				for _, n := range []int{1, 2, 3, 4} {
					add(func(s *sandbox, run command) command {
						s.must(mayTrace())
						return run.tampered(c.set, fmt.Sprintf("signal=%d", int(sig.number)), strconv.Itoa(n))
					}, c.name, n)
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

// collection returns the name of the collection that a job changes, or "".
func (j job) collection() string {
	for _, name := range j.inputs {
		if name == "collection" || name == "signed" {
			return name
		}
	}
	return ""
}

// collected returns a function that returns the ids of the records of a collection, each with its
// position.
func collected(name string) func(s *sandbox) map[string]bool {
	return func(s *sandbox) map[string]bool {
		o := s.do("doppel", "index", "--export", "ids", "i/"+name)
		s.must(o.succeeded())
		all := map[string]bool{}
		for i, id := range strings.Fields(o.stdout) {
			all[fmt.Sprint(i, " ", id)] = true
		}
		return all
	}
}

// addedWhole is the rule for jobs that change a collection: however a run ends, the collection is
// whole, and as it was before or as the run would have left it. It is never ahead of the outputs. The
// next run completes the work.
func (j job) addedWhole(s *sandbox, ref *reference, o outcome, outright bool) error {
	if err := s.do("doppel", "index", "--check", "i/"+j.collection()).succeeded(); err != nil {
		return fmt.Errorf("the collection is damaged: %w", err)
	}
	now := j.contents(s)
	before := bytes.Count(s.input(j.collection()+".jsonl"), []byte("\n"))
	switch complete := maps.Equal(now, ref.left); {
	case !complete && (len(now) != before || o.status == 0):
		return fmt.Errorf("status %d: the collection has %d records, not %d or %d", o.status, len(now), before, len(ref.left))
	case complete && len(now) > before || o.status == 0:
		if err := j.checkNew(s, ref); err != nil {
			return fmt.Errorf("the collection is ahead: %w", err)
		}
	}
	for _, f := range j.files {
		if text := s.read("o/" + f); text != old && text != ref.files[f] {
			return fmt.Errorf("status %d: %s is neither old nor complete: %s", o.status, f, excerpt(text))
		}
	}
	if err := s.leftovers("o", j.files, outright); err != nil || len(s.mounts) > 0 {
		return err // on a full disk, the next run would fail, too
	}
	if err := s.run(j.command(s)).succeeded(); err != nil {
		return fmt.Errorf("the next run: %w", err)
	}
	if !maps.Equal(j.contents(s), ref.left) {
		return errors.New("the next run does not complete the collection")
	}
	return nil
}
