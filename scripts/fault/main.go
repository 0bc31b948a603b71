//go:build linux

// Fault tries the built tools from outside: it kills them, fills their disks,
// cuts and flips what they read, races them, and hands them hostile data and
// names. It knows nothing of their code. Whether a run held is told by an
// oracle: the bytes of an undisturbed run, counts that the harness takes
// itself, and rules that hold always (no traceback, no hang, no process and no
// scratch file left, memory within bounds).
//
//	go run ./scripts/fault                  # all cases
//	go run ./scripts/fault -short           # a selection of a few minutes
//	go run ./scripts/fault -only kill,disk  # some kinds
//	go run ./scripts/fault -list            # the names of the cases
//	go run ./scripts/fault -run 'kill/fuzzy/KILL/front/007'
//	go run ./scripts/fault -record F -shard 1/4   # a part of them; what F has is not tried again
//
// Every case has a name, and what it draws at random depends on that and on
// -seed alone, so the line that a failure prints repeats it; what depends on
// the scheduler repeats at the same moment of the run, not at the same
// instruction. The status is 1 if a case failed, and under CI=true also if a
// kind could not be tried here.
//
// Full disks are small tmpfs, which root may mount, in a mount namespace of
// their own. System calls fail at the Nth call by strace(1), whose count is of
// each thread: the tools are static, so no library can be preloaded.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"
)

// An options is what the command line says.
type options struct {
	seed   uint64
	cases  int
	jobs   int
	only   string
	run    string
	bin    string
	page   string
	record string
	shard  string
	short  bool
	again  bool
	keep   bool
	list   bool
}

func main() {
	if file := os.Getenv(measuring); file != "" {
		os.Exit(measure(file, os.Args[1:]))
	}
	o := flags()
	failed, err := o.try()
	if err != nil {
		fmt.Fprintln(os.Stderr, "fault:", err)
		os.Exit(2)
	}
	if failed > 0 {
		os.Exit(1)
	}
}

func flags() (o options) {
	flag.Uint64Var(&o.seed, "seed", 1, "draw by this seed")
	flag.IntVar(&o.cases, "cases", 0, "try at most this many cases of each kind, drawn by the seed (0: all)")
	flag.IntVar(&o.jobs, "j", runtime.NumCPU(), "try this many cases at a time")
	flag.StringVar(&o.only, "only", "", "try these kinds, with commas between them: "+strings.Join(kindNames(), ", "))
	flag.StringVar(&o.run, "run", "", "try the cases whose name matches this regular expression")
	flag.StringVar(&o.bin, "bin", "bin", "the directory of the built tools")
	flag.StringVar(&o.page, "page", "", "write the page of counts to this file")
	flag.StringVar(&o.record, "record", "", "append what comes of each case to this file, and pass over those that it has")
	flag.StringVar(&o.shard, "shard", "", "try a part of the cases: 1/4 is the first of four")
	flag.BoolVar(&o.again, "again", false, "try those once more that failed by -record")
	flag.BoolVar(&o.short, "short", false, "try a selection of a few minutes")
	flag.BoolVar(&o.keep, "keep", false, "keep the directories of cases that failed")
	flag.BoolVar(&o.list, "list", false, "print the names of the cases, and try none")
	flag.Parse()
	return o
}

// plan returns the trials that are asked for.
func (o options) plan() ([]trial, error) {
	chosen, err := chooseKinds(o.only)
	if err != nil {
		return nil, err
	}
	pattern, err := regexp.Compile(o.run)
	if err != nil {
		return nil, err
	}
	return shard(planAll(chosen, o, pattern), o.shard)
}

// try tries what is asked for and returns how many cases failed.
func (o options) try() (failed int, err error) {
	trials, err := o.plan()
	if err != nil {
		return 0, err
	}
	if o.list {
		for _, t := range trials {
			fmt.Println(t.name)
		}
		return 0, nil
	}
	if done, status, err := ownMounts(); done {
		os.Exit(status)
	} else if err != nil {
		fmt.Fprintln(os.Stderr, "fault: no mount namespace:", err)
	}
	results, err := o.tryAll(trials)
	if err != nil {
		return 0, err
	}
	results.print(os.Stdout)
	if o.page != "" {
		err = os.WriteFile(o.page, results.page(o), 0o666)
	}
	return results.failed() + results.missing(os.Getenv("CI") != ""), err
}

// tryAll tries those of the trials that the record lacks.
func (o options) tryAll(trials []trial) (*results, error) {
	fmt.Printf("fault: %d cases, -seed %d\n", len(trials), o.seed)
	before, more, err := o.recorded()
	if err != nil {
		return nil, err
	}
	defer more.Close()
	all := &results{all: before, more: more, began: time.Now()}
	if trials = without(trials, before); len(trials) == 0 {
		return all, nil
	}
	w, err := newWorld(o)
	if err != nil {
		return nil, err
	}
	defer w.close()
	w.tryAll(trials, all)
	return all, nil
}

// binaries returns the directory of the tools as a path from the root.
func (o options) binaries() (string, error) {
	dir, err := filepath.Abs(o.bin)
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(filepath.Join(dir, "doppel")); err != nil {
		return "", errors.New("no tools in " + o.bin + ": build them with make, or name them with -bin")
	}
	return dir, nil
}
