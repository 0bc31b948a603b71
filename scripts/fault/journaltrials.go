//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"
)

// journalKills stop a run of dupreview at swept moments and at system calls.
func journalKills() (trials []trial) {
	w := sweep{name: "dupreview", moments: 100, whom: frontAlone, calls: slices.Concat(fileCalls, takingCalls), most: 8, try: journalCase}
	for _, s := range signals {
		trials = append(trials, w.by(s)...)
	}
	return trials
}

// journalCase harms a run of dupreview, and holds the journal to its rules.
func journalCase(r *room, i int, s syscall.Signal, h harm) error {
	j, err := r.journal()
	if err != nil {
		return err
	}
	c, err := j.begun(r, i)
	if err != nil {
		return err
	}
	o, err := h(r, c, j.took)
	if err != nil {
		return err
	}
	return j.survived(r, o, s)
}

// journalDisks fill the disk of a journal, limit its size, and let its system calls fail.
func journalDisks() (trials []trial) {
	for i := range diskSteps {
		trials = append(trials,
			trial{fmt.Sprintf("disk/full-o/dupreview/%02d", i), func(r *room) error { return journalFull(r, i, (1+i/2)<<12, 64) }},
			trial{fmt.Sprintf("disk/inodes/dupreview/%02d", i), func(r *room) error { return journalFull(r, i, 1<<20, 1+i/2) }},
			trial{fmt.Sprintf("disk/ulimit-f/dupreview/%02d", i), func(r *room) error {
				return journalCase(r, i, 0, refusing(tooBig, wrapped("prlimit", fmt.Sprintf("--fsize=%d", 700*(1+i)))))
			}})
	}
	calls := callTrials("dupreview", failures, []int{1, 2, 3, 5, 8, 13, 21, 34, 55}, func(r *room, f failure, n int) error { return journalCase(r, n, 0, f.at(n)) })
	return append(append(trials, calls...), trial{"disk/devfull/dupreview", journalDevFull})
}

func journalFull(r *room, i, size, inodes int) error {
	if err := r.full("o", size, inodes+1); err != nil {
		return err
	}
	return journalCase(r, i, 0, refusing(noSpace, asIs))
}

func journalDevFull(r *room) error {
	if err := r.reviewed(); err != nil {
		return err
	}
	toStdout := strings.Join(reviewOf("aa", "-").args, " ") + " > /dev/full"
	return errors.Join(r.run(reviewOf("aa", "/dev/full")).refuses(noSpace), r.sh(toStdout).refuses(noSpace))
}

// journalRaces let two people write one journal: what a run with status 0 decided is there.
func journalRaces() (trials []trial) {
	for i := range 12 {
		trials = append(trials, trial{fmt.Sprintf("race/journal/%02d", i), func(r *room) error { return twoJudges(r, i) }})
	}
	return trials
}

// inTurn returns the journal of runs one after the other.
func inTurn(r *room, keys ...string) string {
	for _, k := range keys {
		r.run(reviewOf(k, "o/serial"))
	}
	defer os.Remove(r.path("o/serial"))
	return r.read("o/serial")
}

func twoJudges(r *room, i int) error {
	j, err := r.journal()
	if err != nil {
		return err
	}
	var second outcome
	o, err := meanwhile(func(r *room, _ *run, took time.Duration) {
		time.Sleep(took * time.Duration(i) / 12)
		second = r.run(reviewOf("a", "o/journal"))
	})(r, reviewOf(strings.Join(j.keys, ""), "o/journal"), j.took)
	if err != nil {
		return err
	}
	if second.status == 2 && second.stderr == "" {
		return errors.New("refused without a message")
	}
	now := r.read("o/journal")
	if o.status == 0 && second.status == 0 && now == inTurn(r, "a", strings.Join(j.keys, "")) {
		return nil // the second one was there first, and done
	}
	switch lines := bytes.Count([]byte(now), []byte("\n")); {
	case o.status == 0 && !strings.HasPrefix(now, j.after(pairsJudged)):
		return fmt.Errorf("status 0, and of what the first decided is left: %d of %d lines", lines, pairsJudged)
	case o.status == 0 && second.status == 0 && lines != pairsJudged+1:
		return fmt.Errorf("both ended with 0, and there are %d lines, not %d", lines, pairsJudged+1)
	}
	return nil
}
