//go:build linux

package main

import (
	"errors"
	"fmt"
)

// settings change how a run goes, and nothing of what it writes.
var settings = []struct {
	name string
	more []string
	env  []string
	dirs bool // $TMPDIR is on another disk
}{
	{name: "j1", more: []string{"-j", "1"}},
	{name: "j2", more: []string{"-j", "2"}},
	{name: "j3", more: []string{"-j", "3"}},
	{name: "j5", more: []string{"-j", "5"}},
	{name: "j8", more: []string{"-j", "8"}},
	{name: "j16", more: []string{"-j", "16"}},
	{name: "j33", more: []string{"-j", "33"}},
	{name: "j64", more: []string{"-j", "64"}},
	{name: "procs1", env: []string{"GOMAXPROCS=1"}},
	{name: "procs4", env: []string{"GOMAXPROCS=4"}},
	{name: "procs32-j7", more: []string{"-j", "7"}, env: []string{"GOMAXPROCS=32"}},
	{name: "gc1", env: []string{"GOGC=1"}},
	{name: "gcoff-j4", more: []string{"-j", "4"}, env: []string{"GOGC=off"}},
	{name: "lang-C", env: []string{"LC_ALL=C", "LANG=C"}},
	{name: "lang-tr", env: []string{"LC_ALL=tr_TR.UTF-8", "LANG=tr_TR.UTF-8"}},
	{name: "lang-none", env: []string{"LC_ALL=", "LANG=", "TZ=Asia/Tokyo"}},
	{name: "tmpfs", dirs: true},
	{name: "progress", more: []string{"--progress"}},
	{name: "again", env: []string{"UNUSED=1"}},
	{name: "again-slow", env: []string{"GODEBUG=asyncpreemptoff=1"}},
}

// sameTrials run every job under every setting, and what has no order in several.
func sameTrials() (trials []trial) {
	for _, j := range jobs() {
		for i, s := range settings {
			trials = append(trials, trial{fmt.Sprintf("same/%s/%s", j.name, s.name), func(r *room) error { return same(r, j, i) }})
		}
	}
	return append(trials, orderTrials()...)
}

func same(r *room, j job, i int) error {
	u, err := r.ready(j)
	if err != nil {
		return err
	}
	s := settings[i]
	if s.dirs {
		if err := r.full("t", 1<<28, 1000); err != nil {
			return err
		}
	}
	c := j.command(r, j.taken(s.more)...)
	c.env = s.env
	return errors.Join(r.run(c).succeeded(), j.allNew(r, u))
}

// lacking are the options that a tool has not.
var lacking = map[string]string{
	"keypairs": "-j", "keypairs-unsorted": "-j", "reccat-gz": "-j", "reccat-zst": "-j", "reccat-parquet": "-j", "fuzzysum": "--progress", "mail": "-j",
}

// taken leaves out an option that the tool has not.
func (j job) taken(more []string) []string {
	if len(more) > 0 && lacking[j.name] == more[0] {
		return nil
	}
	return more
}
