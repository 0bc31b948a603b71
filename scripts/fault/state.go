//go:build linux

package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"
)

// checkCache returns an error unless data is a cache in the format described in fuzzyseen(1). The
// first 16-byte slot contains a magic word and the number of slots. The other slots form a ring;
// those that contain sums must be contiguous.
func checkCache(data string) error {
	if data == "" || strings.HasPrefix(data, absent) {
		return nil // the cache is missing, or was created but not written
	}
	if len(data) < 16 || data[:8] != "fzseen1\n" {
		return fmt.Errorf("cache: begins with %q", data[:min(16, len(data))])
	}
	slots, body := binary.LittleEndian.Uint64([]byte(data[8:16])), data[16:]
	if len(body)%16 != 0 || uint64(len(body)/16) > slots {
		return fmt.Errorf("cache: %d bytes for %d slots", len(body), slots)
	}
	// Slots beyond the end of the file are empty.
	zeros := strings.Repeat("\x00", 16)
	runs, before := 0, uint64(len(body)/16) == slots && slots > 0 && body[len(body)-16:] != zeros
	for ; body != ""; body = body[16:] {
		sum := body[:16] != zeros
		if sum && !before {
			runs++
		}
		before = sum
	}
	if runs > 1 {
		return fmt.Errorf("cache: the sums are in %d runs of the ring", runs)
	}
	return nil
}

// cacheKept is the rule for a disturbed run of fuzzyseen: the cache is complete, and after
// another run every line with a new sum is in at least one of the two outputs.
func (j job) cacheKept(s *sandbox, _ *reference, o outcome, outright bool) error {
	left := s.read("o/cache")
	s.must(errors.Join(checkCache(left), s.leftovers("o", j.files, outright)))
	if !strings.HasPrefix(left, absent) {
		s.write("i/cache", []byte(left)) // not in the directory o, which may be on a full disk
	}
	again := s.run(command{args: strings.Fields("fuzzyseen -D 64K -f i/cache"), stdin: s.input("manysums")})
	return contained("lost", linesOf(s.input("manysums")), linesOf([]byte(o.stdout+again.stdout)))
}

// shareCache runs eight processes that add the same sums to one cache, and kills the given number
// of them. Every sum in the cache must have been printed by a process; if none is killed, every
// sum must have been printed by exactly one process.
func shareCache(s *sandbox, kills int) error {
	var all []*process
	for range 8 {
		all = append(all, s.start(command{args: strings.Fields("fuzzyseen -d 0 -D 64K -f o/cache"), stdin: s.input("manysums")}))
	}
	for _, p := range all[:kills] {
		time.Sleep(time.Duration(s.rand.IntN(15)) * time.Millisecond)
		syscall.Kill(p.cmd.Process.Pid, syscall.SIGKILL)
	}
	var err error
	var passed []string
	for i, p := range all {
		o := p.wait()
		passed = append(passed, linesOf([]byte(o.stdout))...)
		if i >= kills {
			err = errors.Join(err, o.wants(0, o.stdout))
		}
	}
	err = errors.Join(err, checkCache(s.read("o/cache")), s.leftovers("o", []string{"cache"}, kills > 0))
	stored := linesOf(s.input("manysums"))
	if kills == 0 {
		return errors.Join(err, contained("passed on twice", passed, stored), contained("lost", stored, passed))
	}
	stored = linesOf([]byte(s.run(command{args: strings.Fields("fuzzyseen -d 0 -n -v -f o/cache"), stdin: s.input("manysums")}).stdout))
	return errors.Join(err, contained("stored, but not passed on", stored, passed))
}

// resizeCache runs concurrent writers with two cache sizes, so that they keep replacing the
// cache.
func resizeCache(s *sandbox) (err error) {
	var all []*process
	for i := range 6 {
		size := []string{"64K", "96K"}[i%2]
		all = append(all, s.start(command{args: strings.Fields("fuzzyseen -d 0 -f o/cache -D " + size), stdin: s.input("sums")}))
	}
	for _, p := range all {
		err = errors.Join(err, p.wait().succeeded())
	}
	return errors.Join(err, checkCache(s.read("o/cache")), s.leftovers("o", []string{"cache"}, false))
}

// The journal of dupreview has a line for each decided pair. When a decision is undone, a new
// file replaces the journal. At whatever moment a run is stopped, all lines of the journal are
// complete except possibly the last one, and the next run continues after the complete lines.

// tenPairs are the keys typed for ten pairs: "a" keeps one record, "2" keeps both, and "u" undoes
// the previous decision. tenDecisions are the keys of the decisions that remain.
const tenPairs, tenDecisions = "aa2aa2aa22ua", "aa2aa2aa2a"

// journalKeys are the keys typed for 300 pairs; the resulting journal fills three memory pages.
// laterKeys are the keys typed for the last 250 of these pairs.
var journalKeys, laterKeys = strings.Repeat(tenPairs, 30), strings.Repeat(tenPairs, 25)

// decisions returns the lines that each key writes to the journal, one line for each pair.
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

// journalOf returns the journal of a review in which tenPairs is typed for every ten pairs.
func journalOf(s *sandbox, pairs int) (text string) {
	for i, lines := 0, decisions(s); i < pairs; i++ {
		text += lines[tenDecisions[i%10]][i]
	}
	return text
}

func noJournal(s *sandbox) { os.Remove(s.path("o/journal")) }

// tornLine is the torn last line of the journal of a stopped run.
const tornLine = "drop\t7"

func journalOracle(s *sandbox) error {
	return equal("journal", s.read("o/journal"), journalOf(s, 300))
}

// journalKept is the rule for a disturbed run of dupreview: the lines of the journal are decisions
// of the run, except possibly a torn last line, which the next run removes.
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

// possibleJournal reports whether, for each n, line n of the journal is a decision on pair n. The
// last line may be incomplete.
func possibleJournal(decisions map[byte][]string, journal string) bool {
	for i, line := range strings.SplitAfter(journal, "\n") {
		if line != tornLine && !strings.HasPrefix(decisions['a'][i], line) && !strings.HasPrefix(decisions['2'][i], line) {
			return false
		}
	}
	return true
}

// journalUntouched returns an error if a run has changed a damaged journal. A run with status 0
// may remove a torn last line.
func journalUntouched(s *sandbox, o outcome, damaged []byte) error {
	now := s.read("i/x")
	complete := string(damaged[:strings.LastIndexByte(string(damaged), '\n')+1])
	if now != string(damaged) && (o.status != 0 || now != complete) {
		return fmt.Errorf("status %d: the journal has changed: %s, was %s", o.status, excerpt(now), excerpt(string(damaged)))
	}
	return nil
}

// reviewConcurrently runs two reviews with one journal at the same time. If a review ends with
// status 0, the journal must contain its decisions.
func reviewConcurrently(s *sandbox, i int) error {
	j := findJob("dupreview")
	second := command{args: strings.Fields(strings.Replace(j.args, journalKeys, "a", 1))}
	var late outcome
	ref, first := j.inject(s, meanwhile(func(s *sandbox, _ *process, took time.Duration) {
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
			return nil // the second run ended before the first run opened the journal
		}
	}
	lines, want := strings.Count(now, "\n"), strings.Count(ref.files["journal"], "\n")
	if first.status == 0 && (!strings.HasPrefix(now, ref.files["journal"]) || late.status == 0 && lines != want+1) {
		return fmt.Errorf("statuses 0 and %d, but the journal has %d lines, and the journal of an undisturbed run %d", late.status, lines, want)
	}
	return nil
}
