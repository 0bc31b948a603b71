//go:build linux

package main

import (
	"fmt"
	"io"
)

// standing are cases that fail and are not mended, with what is wrong. They are
// counted and shown as failures, and are none that end the run with status 1.
var standing = map[string]string{
	"known/3.6/2":                 "recsign holds a line of 50 MiB eight times",
	"known/3.8/1":                 "simpairs compares all of many equal hashes",
	"known/3.14/1":                "dupgroup holds 94 MiB at --mem 1M",
	"known/3.20/1":                "with seven descriptors the runtime of Go ends with a traceback",
	"hostile/cost/equal/simpairs": "simpairs compares all of many equal hashes",
	"memory/mem/dupgroup/1M":      "as known/3.14/1",
	"memory/mem/dupgroup/16M":     "as known/3.14/1",
}

// failed returns how many cases failed that are not standing.
func (all *results) failed() (n int) {
	for _, r := range all.all {
		if _, known := standing[r.name]; r.verdict() == failed && !known {
			n++
		}
	}
	return n
}

// printStanding writes those that failed, and those that do not any more.
func (all *results) printStanding(w io.Writer) {
	for _, r := range all.all {
		if why, known := standing[r.name]; known && r.verdict() == failed {
			fmt.Fprintf(w, "standing: %s: %s\n", r.name, why)
		} else if known && r.verdict() == held {
			fmt.Fprintf(w, "%s holds: take it from the list of standing ones\n", r.name)
		}
	}
}
