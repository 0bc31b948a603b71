//go:build linux

// Fault tests the built tools from outside: it kills them, fills their disks, truncates and
// corrupts their inputs, records their system calls, and gives them hostile data. It does not use
// their code. An oracle judges each run by the bytes of an undisturbed run, by
// counts made by the harness, and by rules for every run (no traceback, no hang, no process
// or scratch file left, bounded memory).
//
//	go run ./scripts/fault                   # all cases
//	go run ./scripts/fault -short            # 60 cases of each kind
//	go run ./scripts/fault -run '^(kill|disk)/' -cases 100
//	go run ./scripts/fault -list -run /fuzzy # the names of the cases
//
// The random numbers of a case depend only on its name and on -seed, so the command printed
// with a failure repeats the case. If a case depends on the scheduler, the fault is injected
// again at the same moment of the run, but not necessarily at the same instruction. The exit
// status is 1 if a case failed or, under CI=true, if a program needed by a case is missing.
//
// Full disks are small tmpfs mounts in a separate mount namespace; mounting them needs
// root. strace(1) makes the Nth call of each thread fail. A preloaded library could not do
// that, because the tools are statically linked.
package main

import (
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

type options struct {
	seed    uint64
	cases   int
	workers int
	run     string
	bin     string
	short   bool
	keep    bool
	list    bool
	verbose bool
}

// shortCases is the number of cases of each kind that -short selects.
const shortCases = 60

// A kind is a category of faults. addCases adds its cases to a plan without running anything,
// always with the same names and in the same order.
type kind struct {
	name     string
	addCases func(p *plan)
}

var kinds = []kind{
	{"known", addKnown},
	{"kill", addKills},
	{"disk", addDisks},
	{"power", addPower},
	{"memory", addMemory},
	{"input", addInputs},
	{"hostile", addHostile},
}

// A trial is one case.
type trial struct {
	name string               // starts with the name of its kind
	run  func(*sandbox) error // disturbs the tools; returns nil if they behaved as documented
}

// A plan is a list of cases.
type plan []trial

func (p *plan) add(run func(*sandbox) error, format string, args ...any) {
	*p = append(*p, trial{fmt.Sprintf(format, args...), run})
}

func main() {
	var o options
	flag.Uint64Var(&o.seed, "seed", 1, "draw cases with the random seed `S`")
	flag.IntVar(&o.cases, "cases", 0, "try at most this many cases of each kind, drawn by the seed (0: all)")
	flag.IntVar(&o.workers, "j", runtime.NumCPU(), "try this many cases at a time")
	flag.StringVar(&o.run, "run", "", "try the cases whose name matches this regular expression")
	flag.StringVar(&o.bin, "bin", "bin", "find the built tools in the directory `DIR`")
	flag.BoolVar(&o.short, "short", false, "try 60 cases of each kind")
	flag.BoolVar(&o.keep, "keep", false, "keep the directories of cases that failed")
	flag.BoolVar(&o.list, "list", false, "print the names of the cases, and try none")
	flag.BoolVar(&o.verbose, "v", false, "also print the cases that passed")
	flag.Parse()
	failed, err := o.runTrials()
	if err != nil {
		fmt.Fprintln(os.Stderr, "fault:", err)
		os.Exit(2)
	}
	if failed > 0 {
		os.Exit(1)
	}
}

// runTrials runs the selected cases, several at a time, and returns how many failed. After a signal
// it starts no more cases, but waits for those that are running. Catching a signal has a second
// purpose: if this process ignored it, as a background job of a script may, the tools would ignore
// it too.
func (o options) runTrials() (failed int, err error) {
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
	if err := enterMountNamespace(); err != nil {
		fmt.Fprintln(os.Stderr, "fault: no mount namespace:", err)
	}
	fmt.Printf("fault: %d cases, -seed %d\n", len(trials), o.seed)
	w, err := newWorld(o)
	if err != nil {
		return 0, err
	}
	defer w.close()
	began, all := time.Now(), &results{options: o, counts: map[string]map[string]int{}, untried: map[string]int{}}
	queue := make(chan trial)
	var workers sync.WaitGroup
	for range max(1, w.workers) {
		workers.Go(func() {
			for t := range queue {
				s := w.newSandbox(t.name)
				err := s.attempt(t.run)
				s.close(err != nil && w.keep)
				all.add(t.name, err, s.log)
			}
		})
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	for _, t := range trials {
		select {
		case queue <- t:
			continue
		case s := <-stop:
			err = fmt.Errorf("stopped by a signal: %v", s)
		}
		break
	}
	close(queue)
	workers.Wait()
	failed = all.print(os.Stdout, time.Since(began))
	if os.Getenv("CI") != "" {
		failed += all.missing // cases that lack only a permission are not counted as failures
	}
	return failed, err
}

// plan returns the cases selected by the options.
func (o options) plan() (all plan, err error) {
	pattern, err := regexp.Compile(o.run)
	if err != nil {
		return nil, err
	}
	for _, k := range kinds {
		most := o.cases
		if o.short && (most == 0 || most > shortCases) {
			most = shortCases
		}
		var p plan
		k.addCases(&p)
		p = slices.DeleteFunc(p, func(t trial) bool { return !pattern.MatchString(t.name) })
		all = append(all, draw(p, most, o.seed)...)
	}
	return all, nil
}

// draw returns n trials in their original order, or all if n is 0 or there are fewer than n. It
// selects by hashes of the seed and the name, so adding trials changes the selection only a little.
func draw(trials plan, n int, seed uint64) plan {
	if n == 0 || n >= len(trials) {
		return trials
	}
	lots := map[string]uint64{}
	for _, t := range trials {
		lots[t.name] = seeded(seed, t.name).Uint64()
	}
	least := slices.Sorted(maps.Values(lots))[n-1]
	return slices.DeleteFunc(trials, func(t trial) bool { return lots[t.name] > least })
}

// seeded returns a random number generator that depends only on seed and name.
func seeded(seed uint64, name string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(name))
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

// A notTried is the error returned by a case that cannot run on this machine.
type notTried struct {
	why   string
	right bool // whether the case lacks a permission that not every machine grants, rather than a program
}

func (n notTried) Error() string { return "not tried: " + n.why }

// results counts the outcomes of all cases.
type results struct {
	options
	mu      sync.Mutex
	counts  map[string]map[string]int // number of cases by kind and outcome: held, failed, not tried
	untried map[string]int            // number of cases not tried, by reason
	missing int                       // number of cases that lacked a program
}

// add counts a case that has ended. If it failed, add prints the failure at once.
func (all *results) add(name string, err error, commands []string) {
	all.mu.Lock()
	defer all.mu.Unlock()
	kind, _, _ := strings.Cut(name, "/")
	if all.counts[kind] == nil {
		all.counts[kind] = map[string]int{}
	}
	lack := notTried{}
	switch {
	case err == nil:
		all.counts[kind]["held"]++
		if all.verbose {
			fmt.Println(name + ": ok")
		}
	case errors.As(err, &lack):
		all.counts[kind]["not tried"]++
		all.untried[firstLines(lack.why, 1)]++
		if !lack.right {
			all.missing++
		}
	default:
		all.counts[kind]["failed"]++
		all.explain(os.Stderr, name, err, commands)
	}
}

// explain prints a failure, the last commands of its case, and the command that repeats it.
func (o options) explain(w io.Writer, name string, err error, commands []string) {
	fmt.Fprintf(w, "FAILED %s\n\t%s\n", name, strings.ReplaceAll(err.Error(), "\n", "\n\t"))
	for _, c := range commands[max(0, len(commands)-12):] {
		fmt.Fprintf(w, "\t$ %s\n", firstLines(c, 30))
	}
	fmt.Fprintf(w, "\trepeat: go run ./scripts/fault -bin %s -seed %d -keep -run %s\n", quoted(o.bin), o.seed, quoted("^"+regexp.QuoteMeta(name)+"$"))
}

// print writes the counts of each kind, and returns how many cases failed.
func (all *results) print(w io.Writer, took time.Duration) (failed int) {
	total := 0
	for _, k := range kinds {
		if n := all.counts[k.name]; n != nil {
			fmt.Fprintf(w, "%-8s %5d held %5d failed %5d not tried\n", k.name, n["held"], n["failed"], n["not tried"])
			total, failed = total+n["held"]+n["failed"]+n["not tried"], failed+n["failed"]
		}
	}
	for _, why := range slices.Sorted(maps.Keys(all.untried)) {
		fmt.Fprintf(w, "not tried: %d: %s\n", all.untried[why], why)
	}
	fmt.Fprintf(w, "%d cases, %d failed, in %s\n", total, failed, took.Round(time.Second))
	return failed
}

const inNamespace = "DOPPEL_FAULT_MOUNTS"

// enterMountNamespace replaces this process with a copy in a new mount namespace, so that all
// mounts disappear when the process ends. In the copy, enterMountNamespace returns nil.
func enterMountNamespace() error {
	if os.Getenv(inNamespace) != "" {
		return nil
	}
	if out, err := exec.Command("unshare", "-m", "true").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	unshare, err := exec.LookPath("unshare")
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	return syscall.Exec(unshare, append([]string{"unshare", "-m", "--", self}, os.Args[1:]...), append(os.Environ(), inNamespace+"=1"))
}
