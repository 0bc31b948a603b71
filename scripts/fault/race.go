//go:build linux

package main

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// These scripts modify many.jsonl while a job reads the file.
var changes = []struct{ name, script string }{
	{"replaced", "tac i/many.jsonl > t/new; mv t/new i/many.jsonl"},
	{"overwritten", "tac i/many.jsonl > t/new; cat t/new > i/many.jsonl; rm t/new"},
	{"cut", "truncate -s $(($(wc -c < i/many.jsonl) / 3)) i/many.jsonl"},
	{"grown", "cat ../inputs/few.jsonl >> i/many.jsonl"},
}

// addRaces adds cases with concurrent writers of one cache, one journal and one output, and
// cases with inputs that change while they are read.
func addRaces(p *plan) {
	for i := range 30 {
		p.add(func(s *sandbox) error { return shareCache(s, 0) }, "race/cache/calm/%02d", i)
		p.add(func(s *sandbox) error { return shareCache(s, 5) }, "race/cache/killed/%02d", i)
		p.add(resizeCache, "race/cache/resized/%02d", i)
		for _, c := range changes {
			for _, name := range []string{"fuzzy", "exact", "pipeline", "keepdrop", "recuniq"} {
				p.add(func(s *sandbox) error { return findJob(name).whileChanged(s, c.name, c.script, i) }, "race/%s/%s/%02d", c.name, name, i)
			}
		}
	}
	for i := range 12 {
		p.add(func(s *sandbox) error { return reviewConcurrently(s, i) }, "race/journal/%02d", i)
	}
	for _, j := range jobs {
		for i := range 6 {
			if j.rule != nil {
				break
			}
			p.add(func(s *sandbox) error {
				var second outcome
				ref, first := j.inject(s, meanwhile(func(s *sandbox, _ *process, took time.Duration) {
					time.Sleep(took * time.Duration(i) / 6)
					second = s.run(j.command(s))
				}))
				return errors.Join(first.succeeded(), second.succeeded(), j.checkNew(s, ref), s.leftovers("o", j.files, false))
			}, "race/one-output/%s/%02d", j.name, i)
		}
	}
}

// whileChanged changes the input of a job at the i-th of 30 moments of the run. The run must
// write the output for the old data or for the new data, or fail with a message that names the
// input.
func (j job) whileChanged(s *sandbox, name, script string, i int) error {
	ref, o := j.inject(s, meanwhile(func(s *sandbox, _ *process, took time.Duration) {
		time.Sleep(took * time.Duration(i) / 25)
		s.must(s.sh(script).succeeded())
	}))
	if o.status != 0 {
		err := o.refuses("many.jsonl")
		if o.refuses("are not among the records") == nil { // a stage noticed that it was given ids of other records
			err = nil
		}
		return errors.Join(err, j.check(s, ref, o, false))
	}
	got := s.read("o/out")
	// A job that reads its input only once may mix old and new data.
	if got == ref.files["out"] || name == "overwritten" && j.name != "fuzzy" {
		return nil
	}
	j.putOld(s)
	if again := s.run(j.command(s)); again.status == 0 && s.read("o/out") == got {
		return nil
	}
	return fmt.Errorf("status 0, but %d of the written records are neither in the old data nor in the new", strings.Count(got, "\n"))
}
