//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Checks of what came out against what went in. The harness counts by itself:
// a line of JSON lines is a record unless it is blank.

// linesOf returns the records of lines, without their ends. A seal is none.
func linesOf(data []byte) (all []string) {
	for line := range bytes.Lines(data) {
		if text := strings.TrimRight(string(line), "\r\n"); strings.TrimSpace(text) != "" && !strings.HasPrefix(text, "#doppel sealed ") {
			all = append(all, text)
		}
	}
	return all
}

// lines returns the records of a file of the room.
func (r *room) lines(name string) []string { return linesOf([]byte(r.read(name))) }

// A tally is what --stats FILE says.
type tally struct{ Records, Kept, Dropped int }

func (r *room) tally() (t tally, err error) {
	if err = json.Unmarshal([]byte(r.read("o/stats")), &t); err != nil {
		err = fmt.Errorf("stats: %w", err)
	}
	return t, err
}

// subset returns an error unless every record that was written is one of the
// input, byte for byte, and none more often.
func subset(r *room, harmed []byte) error {
	from := harmed
	if r.has("i/few.jsonl") {
		from = r.input("few.jsonl")
	}
	return within(made, r.lines("o/out"), linesOf(from))
}

func (r *room) has(name string) bool { return !strings.HasPrefix(r.read(name), absent) }

// within returns an error if a line of some is not one of others, or more often.
func within(what string, some, others []string) error {
	have := map[string]int{}
	for _, line := range others {
		have[line]++
	}
	for _, line := range some {
		if have[line]--; have[line] < 0 {
			return fmt.Errorf("%s: %s", what, excerpt(line))
		}
	}
	return nil
}

const made = "written, and not in the input"

// counts returns an error unless what the tool counted adds up.
func counts(r *room, _ []byte) error {
	t, err := r.tally()
	if err == nil && t.Records != t.Kept+t.Dropped {
		err = fmt.Errorf("read %d, kept %d and dropped %d", t.Records, t.Kept, t.Dropped)
	}
	return err
}

// counted returns an error unless the counts are those that the harness takes,
// too, and the lines written are of the input.
func counted(r *room, harmed []byte) error {
	t, err := r.tally()
	in, out := linesOf(harmed), r.lines("o/out")
	if t.Records != len(in) || t.Kept != len(out) {
		err = errors.Join(err, fmt.Errorf("says read %d, kept %d, where there are %d and %d", t.Records, t.Kept, len(in), len(out)))
	}
	return errors.Join(err, counts(r, harmed), within(made, out, in))
}

// countedWithBad allows for records that were reported under -k: each is one
// line of message.
func countedWithBad(r *room, o outcome, harmed []byte) error {
	if o.status == 0 {
		return counted(r, harmed)
	}
	if r.read("o/out") == old {
		return nil // it could not go on
	}
	t, err := r.tally()
	in, out := linesOf(harmed), r.lines("o/out")
	if told := strings.Count(o.stderr, "i/x:"); t.Kept+t.Dropped+told != len(in) {
		err = errors.Join(err, fmt.Errorf("kept %d, dropped %d and reported %d of %d", t.Kept, t.Dropped, told, len(in)))
	}
	return errors.Join(err, within(made, out, in))
}

// uniqLines holds recuniq to the first copy of each line.
func uniqLines(r *room, harmed []byte) error {
	seen := map[string]bool{}
	var want []string
	for _, line := range linesOf(harmed) {
		if !seen[line] {
			want = append(want, line)
		}
		seen[line] = true
	}
	if got := r.lines("o/out"); strings.Join(got, "\n") != strings.Join(want, "\n") {
		return fmt.Errorf("%d lines written, not the %d first ones", len(got), len(want))
	}
	return counted(r, harmed)
}

// sameOrRefused holds a tool that reads harmed compressed data to the records
// of the whole data, or to a refusal. Such data has checksums: nothing else is
// possible.
func sameOrRefused(r *room, o outcome, harmed []byte) error {
	if o.status == 2 || len(harmed) == 0 {
		return nil // a file without a byte is one without a record, of any kind
	}
	want := linesOf(r.input("few.jsonl"))
	got := r.lines("o/out")
	least := len(want)
	if r.has("i/decisions") {
		least = 40
	}
	if err := within(made, got, want); err != nil || len(got) < least {
		return errors.Join(err, fmt.Errorf("status %d with %d of %d records", o.status, len(got), len(want)))
	}
	return nil
}

// isClean holds an audit to finding any harm.
func isClean(r *room, harmed []byte) error {
	if !bytes.Equal(harmed, r.input("clean")) {
		return errors.New("an output that was harmed is found right")
	}
	return nil
}

// ofFew holds keepdrop to the records when its list is harmed.
func ofFew(r *room, _ []byte) error {
	return counted(r, r.input("few.jsonl"))
}

// cacheOrRefused holds fuzzyseen to a cache that is whole afterwards, if it
// took it for one.
func cacheOrRefused(r *room, _ []byte) error { return wholeCache(r.read("o/cache")) }

// cacheTaken holds fuzzyseen to a cache that is of use afterwards, if it took a
// harmed one for one: what was told is known.
func cacheTaken(r *room, _ []byte) error {
	again := r.run(command{args: strings.Fields("fuzzyseen -f i/x"), stdin: slow(r.input("manysums"))})
	if err := wholeCache(r.read("i/x")); err != nil {
		return err
	}
	return again.wants(0, "")
}
