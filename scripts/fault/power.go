//go:build linux

package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// addPower adds cases that check, in a trace of a run's system calls, that a power cut after any
// call leaves each output old or complete.
func addPower(p *plan) {
	for _, j := range jobs {
		if j.rule != nil {
			continue
		}
		p.add(func(s *sandbox) error { return j.cutPower(s, j.command(s), false) }, "power/cut/%s", j.name)
		if j.name != "dupreport" { // the page of dupreport shows the options, so it would differ
			p.add(func(s *sandbox) error { return j.cutPower(s, j.command(s, "--no-sync"), true) }, "power/no-sync/%s", j.name)
		}
	}
	// Each copy must be on disk in the Maildir before it is removed from the mailbox.
	p.add(func(s *sandbox) error {
		s.copyInputs("box")
		trace := s.traced(command{args: strings.Fields("doppel mail --into i/copies --yes i/box")})
		copies, err := filepath.Glob(s.path("i/copies/new/*"))
		return errors.Join(err, checkSyncs(trace, s.dir, append(copies, s.path("i/box"))))
	}, "power/cut/mbox")
}

// cutPower runs a job with old output files, and checks its system calls. If unsynced is set, no
// call may sync.
func (j job) cutPower(s *sandbox, c command, unsynced bool) error {
	ref := j.setUp(s)
	trace := s.traced(c)
	if unsynced {
		if at := strings.Index(trace, "sync("); at >= 0 {
			return fmt.Errorf("--no-sync, but the run syncs: %s", firstLines(trace[at:], 1))
		}
		return j.checkNew(s, ref)
	}
	var outputs []string
	for _, f := range j.files {
		outputs = append(outputs, s.path("o/"+f))
	}
	return errors.Join(checkSyncs(trace, s.dir, outputs), j.checkNew(s, ref))
}

// traced runs a command and returns a trace of its calls that change or sync files or names.
func (s *sandbox) traced(c command) string {
	s.must(mayTrace())
	c.wrap = []string{"strace", "-f", "-qq", "-y", "-s", "0", "--seccomp-bpf", "-o", s.path("trace"), "-e", "signal=none", "-e",
		"trace=openat,write,pwrite64,ftruncate,fallocate,copy_file_range,fsync,fdatasync,rename,renameat,renameat2,link,linkat,unlink,unlinkat"}
	s.must(s.run(c).succeeded())
	return s.read("trace")
}

var (
	// tracedCall matches a call and its arguments, but not the second part of an interrupted call.
	tracedCall = regexp.MustCompile(`^\d+ +([a-z]\w*)\((.*)`)
	tracedFile = regexp.MustCompile(`^\d+<([^>]*)>`)
	tracedName = regexp.MustCompile(`"([^"]*)"`)
	// tracedOpen matches the result of a call that opens a file without a name.
	tracedOpen = regexp.MustCompile(`= (\d+)<([^>]*)>\(deleted\)$`)
)

// checkSyncs returns an error unless each output is created or replaced in the only way that every
// file system makes safe: a file with another name is written, synced, and renamed to the output, and
// then the directory is synced. The trace is one of strace -f -y; cwd is the directory of the run.
func checkSyncs(trace, cwd string, outputs []string) (err error) {
	nameless := map[string]string{} // what strace calls the files opened without a name, by /proc/self/fd/N
	first := map[string]string{}    // what strace calls a file that has been linked or renamed, by its new name
	synced := map[string]bool{}     // files and directories synced since their last change, by their first name
	placed := map[string]bool{}     // outputs that have been linked or renamed into place
	bad := func(format, output string) {
		if slices.Contains(outputs, output) {
			err = errors.Join(err, fmt.Errorf(format, output))
		}
	}
	for line := range strings.Lines(trace) {
		line = strings.TrimSuffix(line, "\n")
		if m := tracedOpen.FindStringSubmatch(line); m != nil {
			nameless["/proc/self/fd/"+m[1]], synced[m[2]] = m[2], false
		}
		m := tracedCall.FindStringSubmatch(line)
		if m == nil || strings.Contains(m[2], " = -1 ") {
			continue
		}
		var file string
		if f := tracedFile.FindStringSubmatch(m[2]); f != nil {
			file = f[1]
		}
		var names []string
		for _, name := range tracedName.FindAllStringSubmatch(m[2], -1) {
			if names = append(names, name[1]); !filepath.IsAbs(name[1]) {
				names[len(names)-1] = filepath.Join(cwd, name[1])
			}
		}
		switch call := m[1]; {
		case strings.HasSuffix(call, "sync"):
			synced[cmp.Or(first[file], file)] = true
		case strings.HasPrefix(call, "rename"), strings.HasPrefix(call, "link"):
			to := names[1]
			first[to] = cmp.Or(first[names[0]], nameless[names[0]], names[0])
			if !synced[first[to]] {
				bad("%s: its content is not synced before it gets its name", to)
			}
			synced[filepath.Dir(to)], placed[to] = false, true
		case strings.HasPrefix(call, "unlink"):
			bad("%s: removed before its new content is in place", names[0])
		case call == "openat":
			if strings.Contains(m[2], "O_TRUNC") || strings.Contains(m[2], "O_CREAT") {
				bad("%s: written in place", names[0])
			}
		case file != "":
			if synced[cmp.Or(first[file], file)] = false; placed[file] {
				bad("%s: written after it got its name", file)
			}
		}
	}
	for _, output := range outputs {
		if !placed[output] || !synced[filepath.Dir(output)] {
			bad("%s: its name is not synced", output)
		}
	}
	return err
}
