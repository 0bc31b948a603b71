//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"time"
)

// journalKills stop a run of dupreview at swept moments and at system calls.
func journalKills() (trials []trial) {
	for _, s := range signals {
		for i := range moments {
			trials = append(trials, trial{fmt.Sprintf("kill/dupreview/%s/front/%03d", s.name, i), func(r *room) error {
				return journalCase(r, i, s.number, func(j *journal, c command) (outcome, error) { return stopAt(r, c, s.number, j.took, i) })
			}})
		}
		for _, c := range append(fileCalls, takingCalls...) {
			for n := 1; n <= 8; n++ {
				trials = append(trials, trial{fmt.Sprintf("kill/dupreview/%s/%s/%d", s.name, c.name, n), func(r *room) error {
					return journalCall(r, n, s.number, c.set, fmt.Sprintf("signal=%d", int(s.number)), n)
				}})
			}
		}
	}
	return trials
}

// stopAt sends a signal at the i-th moment of a run.
func stopAt(r *room, c command, s syscall.Signal, took time.Duration, i int) (outcome, error) {
	p, err := r.start(c)
	if err != nil {
		return outcome{}, err
	}
	time.Sleep(time.Duration((float64(i) + r.rand.Float64()) / moments * 1.1 * float64(took)))
	r.log = append(r.log, "# "+p.kill(s, front, r))
	return p.wait(), nil
}

// journalCase runs what harms a run of dupreview, and holds the journal to its rules.
func journalCase(r *room, i int, s syscall.Signal, harm func(*journal, command) (outcome, error)) error {
	j, err := r.journal()
	if err != nil {
		return err
	}
	c, err := j.begun(r, i)
	if err != nil {
		return err
	}
	o, err := harm(j, c)
	if err != nil {
		return err
	}
	return j.survived(r, o, s)
}

// journalCall does something to the nth call of a set.
func journalCall(r *room, i int, s syscall.Signal, set, what string, n int) error {
	return journalCase(r, i, s, func(_ *journal, c command) (outcome, error) {
		c, err := traced(c, set, what, n)
		if err != nil {
			return outcome{}, err
		}
		return r.run(c), nil
	})
}

// journalDisks fill the disk of a journal, limit its size, and let its system calls fail.
func journalDisks() (trials []trial) {
	for i := range diskSteps {
		trials = append(trials,
			trial{fmt.Sprintf("disk/full-o/dupreview/%02d", i), func(r *room) error { return journalFull(r, i, (1+i/2)<<12, 64) }},
			trial{fmt.Sprintf("disk/inodes/dupreview/%02d", i), func(r *room) error { return journalFull(r, i, 1<<20, 1+i/2) }},
			trial{fmt.Sprintf("disk/ulimit-f/dupreview/%02d", i), func(r *room) error {
				return journalCase(r, i, 0, func(_ *journal, c command) (outcome, error) {
					c.wrap = []string{"prlimit", fmt.Sprintf("--fsize=%d", 700*(1+i))}
					o := r.run(c)
					if o.status != 0 {
						return o, o.refuses("file too large")
					}
					return o, nil
				})
			}})
	}
	for _, f := range failures {
		first, _, _ := strings.Cut(f.set, ",")
		for _, n := range []int{1, 2, 3, 5, 8, 13, 21, 34, 55} {
			trials = append(trials, trial{fmt.Sprintf("disk/call/dupreview/%s-%s/%d", first, f.errno, n), func(r *room) error {
				return journalCall(r, n, 0, f.set, "error="+f.errno, n)
			}})
		}
	}
	return append(trials, trial{"disk/devfull/dupreview", journalDevFull})
}

func journalFull(r *room, i, size, inodes int) error {
	if err := r.full("o", size, inodes+1); err != nil {
		return err
	}
	return journalCase(r, i, 0, func(_ *journal, c command) (outcome, error) {
		o := r.run(c)
		if o.status != 0 {
			return o, o.refuses("no space left on device")
		}
		return o, nil
	})
}

func journalDevFull(r *room) error {
	if err := r.bring("many.jsonl", "manyscored"); err != nil {
		return err
	}
	toStdout := strings.Join(reviewOf("aa", "-").args, " ") + " > /dev/full"
	return errors.Join(r.run(reviewOf("aa", "/dev/full")).refuses("no space left on device"), r.sh(toStdout).refuses("no space left on device"))
}

// journalRaces let two people write one journal: what a run with status 0 decided is there.
func journalRaces() (trials []trial) {
	for i := range 12 {
		trials = append(trials, trial{fmt.Sprintf("race/journal/%02d", i), func(r *room) error { return twoJudges(r, i) }})
	}
	return trials
}

func twoJudges(r *room, i int) error {
	j, err := r.journal()
	if err != nil {
		return err
	}
	first, err := r.start(reviewOf(strings.Join(j.keys, ""), "o/journal"))
	if err != nil {
		return err
	}
	time.Sleep(j.took * time.Duration(i) / 12)
	second := r.run(reviewOf("a", "o/journal"))
	o := first.wait()
	if second.status == 2 && second.stderr == "" {
		return errors.New("refused without a message")
	}
	now := r.read("o/journal")
	switch lines := bytes.Count([]byte(now), []byte("\n")); {
	case o.status == 0 && !strings.HasPrefix(now, j.after(pairsJudged)):
		return fmt.Errorf("status 0, and of what the first decided is left: %d of %d lines", lines, pairsJudged)
	case o.status == 0 && second.status == 0 && lines != pairsJudged+1:
		return fmt.Errorf("both ended with 0, and there are %d lines, not %d", lines, pairsJudged+1)
	}
	return nil
}
