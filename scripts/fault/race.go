//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// raceTrials are writers of one cache, with and without kills; two runs with
// one output; and a file that changes while it is read.
func raceTrials() (trials []trial) {
	for i := range 30 {
		trials = append(trials,
			trial{fmt.Sprintf("race/cache/calm/%02d", i), func(r *room) error { return eightTell(r, 0) }},
			trial{fmt.Sprintf("race/cache/killed/%02d", i), func(r *room) error { return eightTell(r, 5) }},
			trial{fmt.Sprintf("race/cache/resized/%02d", i), resized},
		)
	}
	trials = append(trials, journalRaces()...)
	for _, j := range chains {
		for i := range 6 {
			trials = append(trials, trial{fmt.Sprintf("race/one-output/%s/%02d", j.name, i), func(r *room) error { return twice(r, j, i) }})
		}
	}
	for _, c := range changes {
		for _, name := range []string{"fuzzy", "exact", "pipeline", "keepdrop", "recuniq"} {
			for i := range 30 {
				trials = append(trials, trial{fmt.Sprintf("race/%s/%s/%02d", c.name, name, i), func(r *room) error { return c.during(r, find(chains, name), i) }})
			}
		}
	}
	return trials
}

// eightTell lets eight processes tell the same sums to one cache, of which some
// are killed. Every sum is passed on by one of those that were not, or was by
// one that was before it stored it; without kills, by exactly one.
func eightTell(r *room, kills int) error {
	outs, err := eight(r, "fuzzyseen -d 0 -D 64K -f o/cache", kills)
	if err != nil {
		return err
	}
	if err := errors.Join(wholeCache(r.read("o/cache")), r.only("o", []string{"cache"}, kills > 0)); err != nil {
		return err
	}
	lines := linesOf([]byte(strings.Join(outs, "")))
	if kills == 0 {
		return exactlyOnce(lines, linesOf(r.input("manysums")))
	}
	return toldBefore(r, lines)
}

func eight(r *room, args string, kills int) (outs []string, err error) {
	var all []*run
	for range 8 {
		p, err := r.start(command{args: strings.Fields(args), stdin: slow(r.input("manysums"))})
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	for _, p := range all[:kills] {
		time.Sleep(time.Duration(r.rand.IntN(15)) * time.Millisecond)
		syscall.Kill(p.cmd.Process.Pid, syscall.SIGKILL)
	}
	for i, p := range all {
		o := p.wait()
		outs = append(outs, o.stdout)
		if i >= kills && o.status != 0 {
			err = errors.Join(err, fmt.Errorf("writer %d: status %d: %s", i, o.status, o.stderr))
		}
	}
	return outs, err
}

func exactlyOnce(got, want []string) error {
	slices.Sort(got)
	want = slices.Sorted(slices.Values(want))
	if !slices.Equal(got, want) {
		return fmt.Errorf("%d lines were passed on, not %d", len(got), len(want))
	}
	return nil
}

// toldBefore returns an error if the cache has a sum whose line nobody passed.
func toldBefore(r *room, lines []string) error {
	o := r.run(command{args: strings.Fields("fuzzyseen -d 0 -n -v -f o/cache"), stdin: bytes.NewReader(r.input("manysums"))})
	return within("stored, and passed on by nobody", linesOf([]byte(o.stdout)), lines)
}

// resized lets writers with two sizes make the cache anew again and again.
func resized(r *room) error {
	var all sync.WaitGroup
	var mu sync.Mutex
	var err error
	for i := range 6 {
		c := command{args: []string{"fuzzyseen", "-d", "0", "-D", []string{"64K", "96K"}[i%2], "-f", "o/cache"}, stdin: slow(r.input("sums"))}
		p, serr := r.start(c)
		if serr != nil {
			return serr
		}
		all.Go(func() {
			o := p.waitAlone()
			mu.Lock()
			defer mu.Unlock()
			err = errors.Join(err, o.clean(), o.wants(0, o.stdout))
		})
	}
	all.Wait()
	return errors.Join(err, wholeCache(r.read("o/cache")), r.only("o", []string{"cache"}, false))
}

// twice starts a job two times, with one output.
func twice(r *room, j job, i int) error {
	var second outcome
	u, first, err := j.harmed(r, meanwhile(func(r *room, _ *run, took time.Duration) {
		time.Sleep(took * time.Duration(i) / 6)
		second = r.run(j.command(r))
	}))
	if err != nil {
		return err
	}
	return errors.Join(first.succeeded(), second.succeeded(), j.allNew(r, u), r.only("o", j.files, false))
}
