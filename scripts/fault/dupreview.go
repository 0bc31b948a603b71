//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
)

// The journal of dupreview has a line for each decided pair, and becomes a new file where
// a decision is undone. Stopped at any moment it is complete but for a torn last line,
// and the next run goes on from there.

// The keys for ten pairs: a keeps one, 2 keeps both, u undoes the decision before.
const tenPairs, tenDecisions = "aa2aa2aa22ua", "aa2aa2aa2a"

// The keys for a journal of three pages, and for its end.
var journalKeys, laterKeys = strings.Repeat(tenPairs, 30), strings.Repeat(tenPairs, 25)

// decisions returns the line that each key writes for each pair.
func decisions(s *sandbox) map[byte][]string {
	return remember(s.world, "decisions", func(s *sandbox) map[byte][]string {
		s.copyInputs("many.jsonl", "manyscored")
		lines := map[byte][]string{}
		for _, key := range []byte("a2") {
			o := s.do("dupreview", "--records", "i/many.jsonl", "--keys", strings.Repeat(string(key), 300), "-o", "-", "i/manyscored")
			s.must(o.succeeded())
			lines[key] = strings.SplitAfter(o.stdout, "\n")
		}
		return lines
	})
}

// journalOf returns a journal of so many pairs.
func journalOf(s *sandbox, pairs int) (text string) {
	for i, lines := 0, decisions(s); i < pairs; i++ {
		text += lines[tenDecisions[i%10]][i]
	}
	return text
}

func noJournal(s *sandbox) { os.Remove(s.path("o/journal")) }

// tornLine is the end of a journal whose run was stopped.
const tornLine = "drop\t7"

func tornJournal(s *sandbox) { s.write("o/journal", []byte(journalOf(s, 50)+tornLine)) }

func journalOracle(s *sandbox) error {
	return equal("journal", s.read("o/journal"), journalOf(s, 300))
}

// journalKept is the rule of a journal whose run was disturbed.
func (j job) journalKept(s *sandbox, ref *reference, o outcome, outright bool) error {
	now := s.read("o/journal")
	if strings.HasPrefix(now, absent) {
		return s.leftovers("o", nil, outright)
	}
	if o.status == 0 {
		s.must(equal("status 0, and the journal", now, ref.files["journal"]))
	}
	if !possibleJournal(decisions(s), now) {
		return fmt.Errorf("status %d: the journal ends with %s", o.status, excerpt(now[max(0, len(now)-100):]))
	}
	s.write("i/journal", []byte(now))
	next := s.do("dupreview", "--records", "i/many.jsonl", "--keys", "s", "-o", "i/journal", "i/manyscored")
	return errors.Join(s.leftovers("o", j.files, outright), next.wants(0, ""),
		equal("the journal after the next run", s.read("i/journal"), now[:strings.LastIndexByte(now, '\n')+1]))
}

// possibleJournal reports whether each line is a decision on its pair; the last one may
// be torn.
func possibleJournal(decisions map[byte][]string, journal string) bool {
	for i, line := range strings.SplitAfter(journal, "\n") {
		if line != tornLine && !strings.HasPrefix(decisions['a'][i], line) && !strings.HasPrefix(decisions['2'][i], line) {
			return false
		}
	}
	return true
}

// journalUntouched returns an error unless a damaged journal is left as it was, but for a
// torn last line.
func journalUntouched(s *sandbox, o outcome, damaged []byte) error {
	now := s.read("i/x")
	complete := string(damaged[:strings.LastIndexByte(string(damaged), '\n')+1])
	if now != string(damaged) && (o.status != 0 || now != complete) {
		return fmt.Errorf("status %d: the journal is changed: %s, and was %s", o.status, excerpt(now), excerpt(string(damaged)))
	}
	return nil
}

// twoJudges lets two people write one journal: it has the decisions of a run that ended
// with status 0.
func twoJudges(s *sandbox, i int) error {
	j := find("dupreview")
	second := command{args: strings.Fields(strings.Replace(j.args, journalKeys, "a", 1))}
	var late outcome
	ref, first := j.inject(s, meanwhile(func(s *sandbox, _ *run, took time.Duration) {
		time.Sleep(took * time.Duration(i) / 12)
		late = s.run(second)
	}))
	now := s.read("o/journal")
	if late.status == 2 && late.stderr == "" {
		return errors.New("refused without a message")
	}
	if first.status == 0 && late.status == 0 {
		noJournal(s)
		s.run(second)
		s.run(j.command(s))
		if now == s.read("o/journal") {
			return nil // the late one was there first, and done
		}
	}
	lines, want := strings.Count(now, "\n"), strings.Count(ref.files["journal"], "\n")
	if first.status == 0 && (!strings.HasPrefix(now, ref.files["journal"]) || late.status == 0 && lines != want+1) {
		return fmt.Errorf("status 0 and %d, and %d lines of %d", late.status, lines, want)
	}
	return nil
}
