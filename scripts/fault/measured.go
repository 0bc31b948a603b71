//go:build linux

package main

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
)

// measuredFaults are those that need more than a script: what they take, a
// moment, a terminal.
func measuredFaults() []trial {
	all := []trial{
		{"known/2.4/2", bombOf("run/matchsub-all").try},
		{"known/2.4/3", bombOf("ab/matchsub-all").try},
		{"known/2.5/1", bombOf("mime/quoted").try},
		{"known/2.5/2", bombOf("mime/quoted-digit").try},
		{"known/2.9/1", raceOf("replaced")},
		{"known/3.3/1", termBetweenRenames},
		{"known/3.5/1", memoryOf("nuls/inspect", 6)},
		{"known/3.6/2", memoryOf("line/recsign", 3)},
		{"known/3.8/1", bombOf("equal/simpairs").try},
		{"known/3.9/1", terminalOf("blockhash")},
		{"known/3.9/2", terminalOf("files")},
		{"known/3.12/3", bombOf("yaml/aliases").try},
		{"known/3.14/1", eaterOf("dupgroup")},
		{"known/3.14/2", eaterOf("lshpairs")},
		{"known/3.14/3", eaterOf("keypairs")},
	}
	for _, c := range crashes {
		all = append(all, trial{"known/2.3/crash-" + c.file, c.try})
	}
	return all
}

// crashes are damaged files on which tools panicked.
var crashes = []crash{
	{"1", "reccat --to jsonl"}, {"3", "recuniq --verify"}, {"4", "recuniq"}, {"5", "recuniq"}, {"6", "recuniq --field id"}, {"7", "reccat -n 3"},
	{"8", "doppel inspect"}, {"9", "reccat -n 3"}, {"10", "reccat --to jsonl"}, {"11", "reccat -n 3"}, {"13", "recuniq"},
}

type crash struct{ file, args string }

func (c crash) try(r *room) error {
	if err := r.write("i/x", r.input("crash/"+c.file+".parquet")); err != nil {
		return err
	}
	return r.do(append(strings.Fields(c.args), "i/x")...).endsWith(0, 2)
}

func (o outcome) endsWith(statuses ...int) error {
	for _, s := range statuses {
		if o.status == s {
			return nil
		}
	}
	return fmt.Errorf("status %d", o.status)
}

func bombOf(name string) bomb {
	for _, b := range bombs {
		if b.name == name {
			return b
		}
	}
	panic("no bomb " + name)
}

// memoryOf holds the peak of a run to so many times the data.
func memoryOf(name string, times int) func(*room) error {
	return func(r *room) error {
		b := bombOf(name)
		c, err := b.at(r, b.size)
		if err == nil && c.peak > times*(c.bytes>>20)+64 {
			err = fmt.Errorf("%d MiB for %d MiB of data", c.peak, c.bytes>>20)
		}
		return err
	}
}

// raceOf changes the input of doppel fuzzy at moments all over a run.
func raceOf(name string) func(*room) error {
	return func(r *room) (err error) {
		for _, c := range changes {
			for i := 0; c.name == name && i < 30 && err == nil; i += 3 {
				err = c.during(r, chain("fuzzy"), i)
			}
		}
		return err
	}
}

// termBetweenRenames sends SIGTERM at each of the renames of a run with two
// outputs: both are new, or both old.
func termBetweenRenames(r *room) (err error) {
	for n := 1; n <= 3; n++ {
		for range 5 {
			err = errors.Join(err, chain("fuzzy").killed(r, syscall.SIGTERM, atCall(fileCalls[0].set, "signal=15", n)))
		}
	}
	return err
}

func terminalOf(name string) func(*room) error {
	for _, t := range escapeTrials() {
		if strings.HasSuffix(t.name, "/"+name) {
			return t.run
		}
	}
	panic("no terminal case " + name)
}

func eaterOf(name string) func(*room) error {
	return func(r *room) (err error) {
		for _, e := range eaters {
			for _, mib := range []int{1, 16} {
				if e.name == name {
					err = errors.Join(err, e.within(r, mib))
				}
			}
		}
		return err
	}
}
