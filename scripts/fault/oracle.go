//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Oracles compare outputs with inputs. The harness counts records with its own code: every line
// of JSON Lines is a record unless it is blank.

// linesOf returns the lines of data that are records, without line ends.
func linesOf(data []byte) (all []string) {
	for line := range bytes.Lines(data) {
		if text := strings.TrimRight(string(line), "\r\n"); strings.TrimSpace(text) != "" {
			all = append(all, text)
		}
	}
	return all
}

// lines returns the records of a file of the sandbox.
func (s *sandbox) lines(name string) []string { return linesOf([]byte(s.read(name))) }

// contained returns an error if a line occurs more often in the first slice than in the second.
func contained(what string, some, others []string) error {
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

const invented = "written, but not in the input"

// fuzzyOracle compares an output with its corpus: no unique record is lost, no planted
// copy is kept, and the kept records are lines of the input, in order, byte for byte.
func fuzzyOracle(s *sandbox) error {
	return checkKept(s.input("many.jsonl"), s.read("o/out"), s.roles("many.jsonl"), unique)
}

// exactOracle is like fuzzyOracle, but for exact deduplication, which keeps near copies. A job
// with --against gives the same result, because no text of few.jsonl occurs in many.jsonl.
func exactOracle(s *sandbox) error {
	return checkKept(s.input("many.jsonl"), s.read("o/out"), s.roles("many.jsonl"), unique, near)
}

// roles returns the role of each record of an input, derived from the texts alone.
func (s *sandbox) roles(name string) (roles []role) {
	seen := map[string]bool{}
	for _, text := range s.texts(name) {
		switch {
		case seen[text]:
			roles = append(roles, copied)
		case strings.Contains(text, " changed"):
			roles = append(roles, near)
		default:
			roles = append(roles, unique)
		}
		seen[text] = true
	}
	return roles
}

// texts returns the texts of the records of an input.
func (s *sandbox) texts(name string) (texts []string) {
	for line := range bytes.Lines(s.input(name)) {
		var rec struct{ Text string }
		json.Unmarshal(line, &rec)
		texts = append(texts, rec.Text)
	}
	return texts
}

// checkKept returns an error unless the output consists of the input lines whose role is one of
// those to keep, in the order of the input.
func checkKept(input []byte, output string, roles []role, keep ...role) error {
	i := 0
	for line := range strings.Lines(string(input)) {
		rest, kept := strings.CutPrefix(output, line)
		if want := slices.Contains(keep, roles[i]); kept != want {
			return fmt.Errorf("oracle: record %d is kept: %t, want %t", i, kept, want)
		}
		output = rest
		i++
	}
	if output != "" {
		return fmt.Errorf("oracle: the output has a record that is not in the input: %s", excerpt(output))
	}
	return nil
}

// filesOracle compares the number of files that the command "doppel files" lists in groups with
// the number of files that have a copy.
func filesOracle(s *sandbox) error {
	members := map[string]int{}
	s.eachFile("i/tree", func(_, data string) { members[data]++ })
	want := 0
	for _, n := range members {
		if n > 1 {
			want += n
		}
	}
	if got := strings.Count(s.read("o/out"), "\n"); got != want || want == 0 {
		return fmt.Errorf("oracle: %d files in groups, not %d", got, want)
	}
	return nil
}

// The oracles below judge a run that read a damaged input and ended with status 0.

// stats is the content of a file that --stats=FILE writes.
type stats struct{ Records, Kept, Dropped int }

func (s *sandbox) stats() (t stats) {
	if err := json.Unmarshal([]byte(s.read("o/stats")), &t); err != nil {
		s.must(fmt.Errorf("stats: %w", err))
	}
	return t
}

// addsUp returns an error unless the kept and the dropped records add up to the records read,
// according to the tool's counts.
func addsUp(s *sandbox, _ []byte) error {
	if t := s.stats(); t.Records != t.Kept+t.Dropped {
		return fmt.Errorf("read %d, kept %d and dropped %d", t.Records, t.Kept, t.Dropped)
	}
	return nil
}

// counted returns an error unless the tool's counts equal the harness's counts and all written
// lines occur in the input.
func counted(s *sandbox, damaged []byte) error {
	t, in, out := s.stats(), linesOf(damaged), s.lines("o/out")
	if t.Records != len(in) || t.Kept != len(out) {
		return fmt.Errorf("the tool reports %d records read and %d kept: want %d and %d", t.Records, t.Kept, len(in), len(out))
	}
	return errors.Join(addsUp(s, damaged), contained(invented, out, in))
}

// The oracles below judge a run that read a damaged input, whatever its exit status.

// countedWithBad is like the function counted, but allows for invalid records, which the tool skips
// because of -k, with a one-line message for each.
func countedWithBad(s *sandbox, o outcome, damaged []byte) error {
	if o.status == 0 {
		return counted(s, damaged)
	}
	if s.read("o/out") == old {
		return nil // the run stopped before it replaced the output
	}
	t, in := s.stats(), linesOf(damaged)
	if bad := strings.Count(o.stderr, "i/x:"); t.Kept+t.Dropped+bad != len(in) {
		return fmt.Errorf("kept %d, dropped %d and reported %d, but the input has %d records", t.Kept, t.Dropped, bad, len(in))
	}
	return contained(invented, s.lines("o/out"), in)
}

// sameOrRefused returns an error unless the tool rejected the damaged compressed data or read
// all of its records. Compressed data has checksums, so any damage can be detected.
func sameOrRefused(s *sandbox, o outcome, damaged []byte) error {
	if o.status == 2 || len(damaged) == 0 {
		return nil // an empty file is valid in every format
	}
	want, got := linesOf(s.input("few.jsonl")), s.lines("o/out")
	least := len(want)
	if s.has("i/decisions") {
		least = 40
	}
	if err := contained(invented, got, want); err != nil || len(got) < least {
		return errors.Join(err, fmt.Errorf("status %d, but %d of %d records written", o.status, len(got), len(want)))
	}
	return nil
}
