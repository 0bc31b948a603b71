//go:build linux

package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// A reader is a run of a tool that reads an input which is harmed. The words
// of args name it as i/x.
type reader struct {
	name   string
	input  string
	args   string
	with   []string                                      // further inputs, whole
	check  func(r *room, harmed []byte) error            // of what a run with status 0 has left
	every  func(r *room, o outcome, harmed []byte) error // of every run
	cuts   int
	random int    // of each mutation
	end    string // of the name of the harmed file, where that says what it is
}

// inputTrials are every cut and every flip for each reader.
func inputTrials() (trials []trial) {
	for _, rd := range allReaders() {
		for i := range rd.cuts {
			trials = append(trials, rd.trial(cut(i, rd.cuts), 0))
		}
		for _, m := range flips {
			for i := range rd.random {
				trials = append(trials, rd.trial(m, i))
			}
		}
	}
	return trials
}

func (rd reader) trial(m mutation, i int) trial {
	return trial{fmt.Sprintf("input/%s/%s/%02d", rd.name, m.name, i), func(r *room) error { return rd.read(r, m) }}
}

// read hands a harmed input to the tool.
func (rd reader) read(r *room, m mutation) error {
	harmed := m.apply(r.rand, append([]byte{}, r.input(rd.input)...))
	err := errors.Join(r.bring(rd.with...), r.write(rd.harmed(), harmed), r.write("o/out", []byte(old)))
	if err != nil {
		return err
	}
	c := command{args: rd.words(), most: 2 << 10}
	if strings.HasPrefix(rd.name, "fuzzyseen-cache") {
		c.stdin = slow(r.input("manysums"))
	} else if rd.args[:9] == "fuzzyseen" {
		c.stdin = slow(harmed)
	}
	return rd.judge(r, r.run(c), harmed)
}

// harmed returns the name of the harmed file.
func (rd reader) harmed() string { return "i/x" + rd.end }

// words returns the command, in which i/x is that file.
func (rd reader) words() []string {
	words := strings.Fields(rd.args)
	for i, w := range words {
		if w == "i/x" {
			words[i] = rd.harmed()
		}
	}
	return words
}

// twiceNamed is a message that names its file two times.
var twiceNamed = regexp.MustCompile(`(?m)^[^:]*: i/x[.a-z]*:.*\bi/x\b.*$`)

// judge holds a run to what holds for all readers: whatever ended it, nothing
// of it is left, and a run that stopped has written nothing.
func (rd reader) judge(r *room, o outcome, harmed []byte) error {
	err := r.only("o", []string{"out", "stats", "cache", "report", "journal"}, false)
	if line := twiceNamed.FindString(o.stderr); line != "" {
		err = errors.Join(err, fmt.Errorf("the file stands twice in a message: %s", line))
	}
	if o.status == 2 && o.stderr == "" {
		err = errors.Join(err, errors.New("status 2 without a message"))
	}
	if o.status != 0 && !strings.Contains(rd.args, " -k ") && r.read("o/out") != old {
		err = errors.Join(err, fmt.Errorf("status %d, and the output is replaced: %s", o.status, firstLines(o.stderr, 1)))
	}
	if rd.check != nil && o.status == 0 {
		err = errors.Join(err, rd.check(r, harmed))
	}
	if rd.every != nil {
		err = errors.Join(err, rd.every(r, o, harmed))
	}
	return err
}
