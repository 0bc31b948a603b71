//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Checks of what is made of harmed lists: of pairs, keys, scores, decisions.

// dropsCopies holds decisions to the texts: whatever pairs were named, only a record
// that has a like is dropped.
func dropsCopies(r *room, _ []byte) error {
	roles := r.roles("few.jsonl")
	for _, line := range r.lines("o/out") {
		f := strings.Split(line, "\t")
		if f[0] != "drop" {
			continue
		}
		if id, err := strconv.Atoi(f[1]); err != nil || id >= len(roles) || roles[id] == unique {
			return fmt.Errorf("dropped, and like no other: %s", excerpt(line))
		}
	}
	return nil
}

var spanOf = regexp.MustCompile(`^(\d+)#(\d+)-(\d+)$`)

// spansOfFew holds what dupspan decides to the texts: whatever keys were named, what is
// dropped has the bytes of what is kept.
func spansOfFew(r *room, _ []byte) error {
	texts := r.texts("few.jsonl")
	for _, line := range r.lines("o/out") {
		f := strings.Split(line, "\t")
		if len(f) < 3 || f[0] != "drop" {
			return fmt.Errorf("no decision: %s", excerpt(line))
		}
		gone, err := spanIn(texts, f[1])
		kept, kerr := spanIn(texts, f[2])
		if err = errors.Join(err, kerr); err != nil || gone != kept {
			return errors.Join(err, fmt.Errorf("dropped, and not what is kept: %s", excerpt(line)))
		}
	}
	return nil
}

// spanIn returns the bytes that an id of a passage names.
func spanIn(texts []string, id string) (string, error) {
	m := spanOf.FindStringSubmatch(id)
	if m == nil {
		return "", fmt.Errorf("no span: %q", id)
	}
	at, _ := strconv.Atoi(m[1])
	from, _ := strconv.Atoi(m[2])
	to, _ := strconv.Atoi(m[3])
	if at >= len(texts) || from > to || to > len(texts[at]) {
		return "", fmt.Errorf("no such span: %q", id)
	}
	return texts[at][from:to], nil
}

// page holds a page of HTML to having an end.
func page(r *room, _ []byte) error {
	if text := r.read("o/out"); !strings.Contains(text[max(0, len(text)-100):], "</html>") {
		return fmt.Errorf("the page has no end: %s", excerpt(text[max(0, len(text)-100):]))
	}
	return nil
}

// asUnharmed holds a tool to what it makes of the unharmed data, or to a refusal: what
// has checksums can be read rightly or not at all.
func asUnharmed(r *room, o outcome, harmed []byte) error {
	if o.status == 2 || len(harmed) == 0 {
		return nil
	}
	got := r.read("o/out")
	if err := r.write("i/x", r.input("few.bz2")); err != nil {
		return err
	}
	r.run(command{args: strings.Fields("recuniq -o o/out i/x")})
	return equal("of harmed data", got, r.read("o/out"))
}

// journalOrRefused holds dupreview to a journal that is as it was, but for a last line
// that was torn.
func journalOrRefused(r *room, o outcome, harmed []byte) error {
	now := r.read("i/x")
	whole := string(harmed[:bytes.LastIndexByte(harmed, '\n')+1])
	if now != string(harmed) && (o.status != 0 || now != whole) {
		return fmt.Errorf("status %d: the journal is changed: %s, and was %s", o.status, excerpt(now), excerpt(string(harmed)))
	}
	return nil
}

// equalGroups holds doppel files to the groups of equal files when its cache is
// harmed.
func equalGroups(r *room, _ []byte) error {
	return errors.Join(r.bring("tree"), filesOracle(r))
}
