//go:build linux

package main

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// settings lists options and environments that must not change the outputs of a run.
var settings = []struct {
	name  string
	more  []string
	env   []string
	tmpfs bool // $TMPDIR is on another disk
}{
	{name: "j1", more: []string{"-j", "1"}},
	{name: "j2", more: []string{"-j", "2"}},
	{name: "j8", more: []string{"-j", "8"}},
	{name: "j33", more: []string{"-j", "33"}},
	{name: "procs1", env: []string{"GOMAXPROCS=1"}},
	{name: "procs4", env: []string{"GOMAXPROCS=4"}},
	{name: "procs32-j7", more: []string{"-j", "7"}, env: []string{"GOMAXPROCS=32"}},
	{name: "gc1", env: []string{"GOGC=1"}},
	{name: "gcoff-j4", more: []string{"-j", "4"}, env: []string{"GOGC=off"}},
	{name: "lang-C", env: []string{"LC_ALL=C", "LANG=C"}},
	{name: "lang-tr", env: []string{"LC_ALL=tr_TR.UTF-8", "LANG=tr_TR.UTF-8"}},
	{name: "tmpfs", tmpfs: true},
	{name: "progress", more: []string{"--progress"}},
	{name: "again-slow", env: []string{"GODEBUG=asyncpreemptoff=1"}},
}

// unknownOptions maps a job to the option in settings that the job does not accept.
var unknownOptions = map[string]string{
	"keypairs": "-j", "keypairs-unsorted": "-j", "reccat-gz": "-j", "reccat-zst": "-j", "reccat-parquet": "-j", "fuzzysum": "--progress", "mail": "-j",
}

// addSame adds cases that run every job under every setting, and cases that compare several orders
// of an input whose order does not matter.
func addSame(p *plan) {
	for _, j := range jobs {
		for _, set := range settings {
			more := set.more
			if len(more) > 0 && (j.rule != nil || unknownOptions[j.name] == more[0]) {
				more = nil
			}
			p.add(func(s *sandbox) error {
				if set.tmpfs {
					s.limitDisk("t", 1<<28, 1000)
				}
				ref, o := j.inject(s, func(s *sandbox, c command, _ time.Duration) outcome {
					c = j.command(s, more...)
					c.env = set.env
					return s.run(c)
				})
				return errors.Join(o.succeeded(), j.check(s, ref, o, false))
			}, "same/%s/%s", j.name, set.name)
		}
	}
	for _, u := range scripts("order") {
		for i := range 20 {
			p.add(func(s *sandbox) error {
				s.copyInputs(strings.Fields(u.inputs)...)
				mixed := fmt.Sprintf("shuf --random-source=<(yes %d)", i)
				return sameOutput(s, strings.ReplaceAll(u.text, "$MIX", "cat"), strings.ReplaceAll(u.text, "$MIX", mixed))
			}, "same/order/%s/%02d", u.name, i)
		}
	}
}
