//go:build linux

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// diskSteps is the number of different sizes tried for a full disk, and for a file size limit.
const diskSteps = 12

// Messages that a tool prints when it cannot continue writing.
const (
	noSpace = "no space left on device"
	tooBig  = "file too large"
)

// failedCalls lists sets of system calls, each with an error that is injected into these calls.
// Tools retry interrupted calls, so EINTR must change nothing.
var failedCalls = []struct{ set, errno string }{
	{"write,pwrite64", "ENOSPC"},
	{"write,pwrite64", "EIO"},
	{"write,pwrite64", "EINTR"},
	{"read,pread64", "EINTR"},
	{"rename,renameat,renameat2", "EIO"},
	{"fsync,fdatasync", "EIO"},
	{"openat", "EMFILE"},
	{"openat", "EINTR"},
	{"ftruncate,fallocate", "ENOSPC"},
}

// addDisks adds cases in which the disk of the output or of $TMPDIR is full, the disk has no free
// inodes, the file size is limited, an output is /dev/full, an input cannot be read to its end, or
// the nth call of each thread fails.
func addDisks(p *plan) {
	for _, j := range jobs {
		size := func(s *sandbox) (total int) {
			for _, text := range j.reference(s).files {
				total += len(text)
			}
			return total
		}
		for i := range diskSteps {
			p.add(func(s *sandbox) error { return j.fullDisk(s, "o", (len(j.files)+1)<<12+size(s)*i/diskSteps, 64) }, "disk/full-o/%s/%02d", j.name, i)
			p.add(func(s *sandbox) error {
				return j.fullDisk(s, "t", (len(j.files)+1)<<12+len(s.input("many.jsonl"))*i/diskSteps, 64)
			}, "disk/full-t/%s/%02d", j.name, i)
			p.add(func(s *sandbox) error {
				limit := max(4096, size(s)/max(1, len(j.files))*i/diskSteps)
				return j.refusesFull(s, tooBig, j.command(s).wrapped("prlimit", fmt.Sprintf("--fsize=%d", limit)))
			}, "disk/ulimit-f/%s/%02d", j.name, i)
		}
		if j.collection() != "" {
			for i := range diskSteps {
				p.add(func(s *sandbox) error { return j.fullDisk(s, "i", s.diskUse(j.inputs)+i<<15, 64) }, "disk/full-i/%s/%02d", j.name, i)
			}
		}
		p.add(func(s *sandbox) error { return j.fullDisk(s, "o", 1<<24, len(j.files)+1) }, "disk/inodes/%s", j.name)
		for _, f := range j.files {
			at := slices.Index(strings.Fields(j.args), "o/"+f)
			if at < 0 {
				continue // named after another output
			}
			p.add(func(s *sandbox) error {
				ref, c := j.setUp(s), j.command(s)
				if c.args[at] = "/dev/full"; ref.files[f] == "" {
					return s.run(c).succeeded()
				}
				return s.run(c).refuses("/dev/full")
			}, "disk/devfull/%s/%s", j.name, f)
		}
		j.addReads(p)
		for _, f := range failedCalls {
			first, _, _ := strings.Cut(f.set, ",")
			for _, n := range []int{1, 2, 3, 4, 5, 8, 13, 21} {
				p.add(func(s *sandbox) error {
					s.must(mayTrace())
					ref := j.setUp(s)
					o := s.run(j.command(s).tampered(f.set, "error="+f.errno, strconv.Itoa(n)))
					if f.errno == "EINTR" && !o.runtimeGaveUp() && o.status != 0 {
						return fmt.Errorf("an interrupted call is reported as an error: %w", o.succeeded())
					}
					return j.check(s, ref, o, o.runtimeGaveUp())
				}, "disk/call/%s/%s-%s/%d", j.name, first, f.errno, n)
			}
		}
	}
}

// addReads adds cases in which all reads of one input fail, or all but the first of each thread. The
// run must not take the error for the end.
func (j job) addReads(p *plan) {
	for _, in := range j.inputs {
		for _, when := range []string{"1+", "2+"} {
			if in == "tree" || in == "maildir" || in == j.collection() {
				continue // a directory
			}
			p.add(func(s *sandbox) error {
				s.must(mayTrace())
				ref := j.setUp(s)
				o := s.run(j.command(s).tampered("read,pread64", "error=EIO", when, "-P", "i/"+in))
				return errors.Join(j.check(s, ref, o, false), o.refuses(""))
			}, "disk/read/%s/%s/%s", j.name, in, when)
		}
	}
}

// diskUse returns the size in bytes that a copy of inputs takes on a tmpfs.
func (s *sandbox) diskUse(inputs []string) (size int) {
	const page = 4096
	for _, in := range inputs {
		s.must(filepath.WalkDir(filepath.Join(s.inputs, in), func(_ string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := e.Info()
			if err == nil {
				size += int(info.Size()+page-1) / page * page
			}
			return err
		}))
	}
	return size + page
}

// fullDisk runs a job in a sandbox with one directory limited to this many bytes and inodes.
func (j job) fullDisk(s *sandbox, dir string, bytes, inodes int) error {
	s.limitDisk(dir, bytes, inodes)
	return j.refusesFull(s, noSpace, j.command(s))
}

// refusesFull runs a command of a job. Either the run must write everything and end with status 0, or
// it must write nothing and end with status 2 and a message that contains the given text. Otherwise
// refusesFull returns an error.
func (j job) refusesFull(s *sandbox, why string, c command) error {
	ref := j.setUp(s)
	o := s.run(c)
	err := j.check(s, ref, o, false)
	if o.status != 0 {
		err = errors.Join(err, o.refuses(why))
	}
	return err
}
