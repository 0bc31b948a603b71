//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// A change is something that happens to the input of a job while it runs.
type change struct {
	name  string
	apply func(r *room, name string) error
}

var changes = []change{
	{"replaced", func(r *room, name string) error {
		return errors.Join(r.write("i/new", reversed(r.input("many.jsonl"))), os.Rename(r.path("i/new"), r.path(name)))
	}},
	{"overwritten", func(r *room, name string) error { return r.write(name, reversed(r.input("many.jsonl"))) }},
	{"cut", func(r *room, name string) error {
		return os.Truncate(r.path(name), int64(len(r.input("many.jsonl"))/3))
	}},
	{"grown", func(r *room, name string) error {
		f, err := os.OpenFile(r.path(name), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = f.Write(r.input("few.jsonl"))
		return err
	}},
}

func reversed(data []byte) []byte {
	lines := bytes.SplitAfter(data, []byte("\n"))
	slices.Reverse(lines)
	return bytes.Join(lines, nil)
}

// during changes the input at the i-th of 30 moments. The run is of the old
// data, or of the new, or is refused.
func (c change) during(r *room, j job, i int) error {
	var changed error
	u, o, err := j.harmed(r, meanwhile(func(r *room, _ *run, took time.Duration) {
		time.Sleep(took * time.Duration(i) / 25)
		changed = c.apply(r, "i/many.jsonl")
	}))
	if err != nil {
		return err
	}
	return errors.Join(changed, c.consistent(r, j, u, o))
}

func (c change) consistent(r *room, j job, u *undisturbed, o outcome) error {
	if o.status != 0 {
		return errors.Join(o.refusesChange(), j.whole(r, u, o, false))
	}
	got := r.read("o/out")
	if sum(got) == u.sums["out"] {
		return nil
	}
	if c.name == "overwritten" && j.name != "fuzzy" {
		return nil // what reads once, and in place, has read what was there
	}
	if err := j.putOld(r); err != nil {
		return err
	}
	if again := r.run(j.command(r)); again.status == 0 && r.read("o/out") == got {
		return nil
	}
	return fmt.Errorf("status 0, and %d records written, which come neither from the old data nor from the new", strings.Count(got, "\n"))
}

// refusesChange returns an error unless a run noticed that its input is another:
// it names the file, or says that a list is not of these records.
func (o outcome) refusesChange() error {
	if o.refuses("are not among the records") == nil {
		return nil
	}
	return o.refuses("many.jsonl")
}
