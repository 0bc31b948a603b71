//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// fuzzyOracle holds an output to the corpus that it was made of, by what was
// planted: no unique record is lost, no copy is kept, and what is kept are
// lines of the input, in order, byte for byte.
func fuzzyOracle(r *room) error {
	return keptOf(r.input("many.jsonl"), r.read("o/out"), r.roles("many.jsonl"), unique)
}

// exactOracle is the like for exact duplicates: what is near is kept. What
// --against knows, the texts of few.jsonl, does not occur in many.jsonl.
func exactOracle(r *room) error {
	return keptOf(r.input("many.jsonl"), r.read("o/out"), r.roles("many.jsonl"), unique, near)
}

// roles tells from the texts alone what each record is.
func (r *room) roles(name string) (roles []role) {
	seen := map[string]bool{}
	for _, text := range r.texts(name) {
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

// texts returns those of the records of an input.
func (r *room) texts(name string) (texts []string) {
	for line := range strings.Lines(string(r.input(name))) {
		var rec struct{ Text string }
		json.Unmarshal([]byte(line), &rec)
		texts = append(texts, rec.Text)
	}
	return texts
}

// keptOf returns an error unless output has the lines of input with one of the
// roles, in order, and no others.
func keptOf(input []byte, output string, roles []role, keep ...role) error {
	i := 0
	for line := range strings.Lines(string(input)) {
		rest, kept := strings.CutPrefix(output, line)
		if want := slices.Contains(keep, roles[i]); kept != want {
			return fmt.Errorf("oracle: record %d is kept: %t, and should be: %t", i, kept, want)
		}
		output = rest
		i++
	}
	if output != "" {
		return fmt.Errorf("oracle: output has what the input has not: %s", excerpt(output))
	}
	return nil
}

// filesOracle holds the groups of doppel files to those of equal contents.
func filesOracle(r *room) error {
	members := map[string]int{}
	r.eachFile("i/tree", func(_, data string) { members[sum(data)]++ })
	want := 0
	for _, n := range members {
		if n > 1 {
			want += n
		}
	}
	if got := strings.Count(r.read("o/out"), "\n"); got != want || want == 0 {
		return fmt.Errorf("oracle: %d files in groups, not %d", got, want)
	}
	return nil
}
