//go:build linux

package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
)

// measuredFaults are those that need more than a script: what they take, a
// moment, a terminal.
func measuredFaults() []trial {
	all := []trial{
		{"known/2.4/2", find(bombs, "run/matchsub-all").try},
		{"known/2.4/3", find(bombs, "ab/matchsub-all").try},
		{"known/2.5/1", find(bombs, "mime/quoted").try},
		{"known/2.5/2", find(bombs, "mime/quoted-digit").try},
		{"known/2.9/1", replaced},
		{"known/3.3/1", termBetweenRenames},
		{"known/3.5/1", memoryOf("nuls/inspect", 6)},
		{"known/3.6/2", memoryOf("line/recsign", 3)},
		{"known/3.8/1", find(bombs, "equal/simpairs").try},
		{"known/3.9/1", terminalOf("blockhash")},
		{"known/3.9/2", terminalOf("files")},
		{"known/3.12/3", find(bombs, "yaml/aliases").try},
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
	if o := r.do(append(strings.Fields(c.args), "i/x")...); o.status != 0 && o.status != 2 {
		return o.succeeded()
	}
	return nil
}

// memoryOf holds the peak of a run to so many times the data.
func memoryOf(name string, times int) func(*room) error {
	b := find(bombs, name)
	return func(r *room) error {
		c, err := b.at(r, b.size)
		if err == nil && c.peak > times*(c.bytes>>20)+64 {
			err = fmt.Errorf("%d MiB for %d MiB of data", c.peak, c.bytes>>20)
		}
		return err
	}
}

// replaced changes the input of doppel fuzzy at moments all over a run.
func replaced(r *room) (err error) {
	for i := 0; i < 30 && err == nil; i += 3 {
		err = find(changes, "replaced").during(r, find(chains, "fuzzy"), i)
	}
	return err
}

// termBetweenRenames sends SIGTERM at each of the renames of a run with two
// outputs: both are new, or both old.
func termBetweenRenames(r *room) (err error) {
	for n := 1; n <= 3; n++ {
		for range 5 {
			err = errors.Join(err, find(chains, "fuzzy").killed(r, syscall.SIGTERM, atCall(fileCalls[0].set, "signal=15", n)))
		}
	}
	return err
}

func terminalOf(name string) func(*room) error {
	return find(escapeTrials(), "hostile/terminal/"+name).run
}

func eaterOf(name string) func(*room) error {
	e := find(eaters, name)
	return func(r *room) error { return errors.Join(e.within(r, 1), e.within(r, 16)) }
}

// find returns the one of a table that has the name.
func find[T interface{ called() string }](all []T, name string) T {
	return all[slices.IndexFunc(all, func(t T) bool { return t.called() == name })]
}

func (b bomb) called() string   { return b.name }
func (c change) called() string { return c.name }
func (e eater) called() string  { return e.name }
func (j job) called() string    { return j.name }
func (t trial) called() string  { return t.name }
