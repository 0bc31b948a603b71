//go:build linux

package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"time"
)

// A journal is what dupreview writes with -o: a line for each pair that is decided, and a
// new file where a decision is taken back. Stopped at any moment it is what it was after
// one of the keys, but for a last line that is torn, and the next run goes on from there.
type journal struct {
	states []string // after each key
	keys   []string // for each pair
	took   time.Duration
}

// pairsJudged is how many pairs are decided: a journal of three pages.
const pairsJudged = 300

// keysOf returns what is pressed at the i-th pair: keep one, keep both, or that and undo
// it first.
func keysOf(i int) string {
	switch {
	case i%10 == 9:
		return "2ua"
	case i%3 == 2:
		return "2"
	}
	return "a"
}

func reviewOf(keys, out string) command {
	return command{args: strings.Fields("dupreview --records i/many.jsonl --keys " + keys + " -o " + out + " i/manyscored")}
}

// reviewed is a room that has what is reviewed.
func (r *room) reviewed() error { return r.bring("many.jsonl", "manyscored") }

// journal brings what is reviewed, and returns what a journal goes through.
func (r *room) journal() (*journal, error) {
	j, err := remembered(r.world, "journal", observeJournal)
	return j, errors.Join(err, r.reviewed())
}

// observeJournal returns what a journal goes through, from undisturbed runs of each key alone.
func observeJournal(r *room) (*journal, error) {
	if err := r.reviewed(); err != nil {
		return nil, err
	}
	lines := map[byte][]string{}
	for _, key := range []byte("a2") {
		o := r.run(reviewOf(strings.Repeat(string(key), pairsJudged), "-"))
		if lines[key] = strings.SplitAfter(o.stdout, "\n"); o.status != 0 || len(lines[key]) != pairsJudged+1 {
			return nil, fmt.Errorf("undisturbed: status %d, %d lines: %s", o.status, len(lines[key]), o.stderr)
		}
	}
	j := newJournal(lines)
	o := r.run(reviewOf(strings.Join(j.keys, ""), "o/journal"))
	j.took = o.wall
	return j, errors.Join(o.wants(0, ""), equal("undisturbed", r.read("o/journal"), j.after(pairsJudged)), r.broken)
}

// newJournal returns what a journal goes through, of the lines that each key writes.
func newJournal(lines map[byte][]string) *journal {
	j, text := &journal{}, ""
	for i := range pairsJudged {
		keys := keysOf(i)
		for at := range keys {
			if keys[at] == 'u' {
				j.states = append(j.states, text)
			} else {
				j.states = append(j.states, text+lines[keys[at]][i])
			}
		}
		j.keys = append(j.keys, keys)
		text = j.states[len(j.states)-1]
	}
	return j
}

// after returns the journal after so many pairs.
func (j *journal) after(pairs int) string {
	if pairs == 0 {
		return ""
	}
	return j.states[len(strings.Join(j.keys[:pairs], ""))-1]
}

// begun puts a journal there that has some pairs and a torn line, or none, and returns the
// run that goes on from it.
func (j *journal) begun(r *room, i int) (command, error) {
	if i%2 == 0 {
		return reviewOf(strings.Join(j.keys, ""), "o/journal"), nil
	}
	const done = 50
	return reviewOf(strings.Join(j.keys[done:], ""), "o/journal"), r.write("o/journal", []byte(j.after(done)+"drop\t7"))
}

// survived holds a run that was stopped, or failed, to a journal that is whole but for its
// last line, and the next run to cutting that off.
func (j *journal) survived(r *room, o outcome, s syscall.Signal) error {
	now := r.read("o/journal")
	switch {
	case o.status == 0 && now != j.after(pairsJudged):
		return fmt.Errorf("status 0, and the journal ends with %s", excerpt(now[max(0, len(now)-100):]))
	case strings.HasPrefix(now, absent):
		return r.only("o", nil, s == syscall.SIGKILL)
	case !j.passes(now) && !strings.HasSuffix(now, "\ndrop\t7"): // torn before it began
		return fmt.Errorf("status %d: the journal is none that it went through: %s", o.status, excerpt(now[max(0, len(now)-100):]))
	}
	return errors.Join(r.only("o", []string{"journal"}, s == syscall.SIGKILL || o.ofRuntime()), r.goesOn(now))
}

// goesOn holds a run on a journal that was left to reading it, and to cutting off what is torn.
func (r *room) goesOn(left string) error {
	if err := r.write("i/journal", []byte(left)); err != nil {
		return err
	}
	again := r.run(reviewOf("s", "i/journal"))
	return errors.Join(again.wants(0, ""), equal("the journal after the next run", r.read("i/journal"), left[:strings.LastIndexByte(left, '\n')+1]))
}

// passes tells whether a journal is one that it went through, or the next line of that is
// torn.
func (j *journal) passes(now string) bool {
	before := ""
	return now == "" || slices.ContainsFunc(j.states, func(state string) bool {
		torn := strings.HasPrefix(state, now) && strings.HasPrefix(now, before)
		before = state
		return torn || state == now
	})
}
