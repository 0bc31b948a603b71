//go:build linux

package main

import (
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
)

// escapeTrials look for control characters of names and texts on a terminal.
func escapeTrials() (trials []trial) {
	const hostile = "\x1b]0;title\x07\x1b[31m\x9b2J"
	for _, e := range []struct{ name, script string }{
		{"inspect", "printf '{\"text\":\"%s\"}\\n' \"$E\" > i/x; doppel inspect i/x"},
		{"inspect-json", "printf '{\"text\":\"\\\\u001b[31m\\\\u009b\\\\u0007\"}\\n' > i/x; doppel inspect i/x"},
		{"inspect-lines", "printf '%s\\n' \"$E\" > i/x; doppel inspect i/x"},
		{"show", "printf 'abcdefgh%s' \"$E\" > i/x; cp i/x i/y; printf 'i/x\\ti/y\\n' | matchsub --show"},
		{"matches", "printf 'abcdefgh%s' \"$E\" > i/x; cp i/x i/y; printf 'i/x\\ti/y\\n' | matchsub"},
		{"blockhash", "echo a > i/\"$E\"; blockhash -r i"},
		{"files", "echo a > i/\"$E\"; echo a > i/b; doppel files -r i"},
		{"shared", "cp i/few.jsonl i/\"$E\"; cp i/few.jsonl i/b; doppel shared --scores i"},
		{"text", "printf '%s\\n' i/few.jsonl \"i/$E\" > o/l; cp i/few.jsonl \"i/$E\"; doppel text o/l"},
		{"missing", "doppel count \"$E\"; recuniq \"$E\"; doppel fuzzy \"$E\"; recsign --\"$E\""},
		{"bad-json", "printf '{\"%s\": bad}\\n' \"$E\" > i/x; recsign i/x; recsign --field \"$E\" i/few.jsonl"},
		{"scheme", "printf '1\\t%s\\tx\\n' \"$E\" | lshpairs; printf '1\\t2\\t%s\\n' \"$E\" | dupgroup"},
		{"config", "printf '%s: 1\\n' \"$E\" > i/x; doppel pipeline -c i/x; printf 'filters: {quality: {preset: \"%s\"}}\\n' \"$E\" > i/x; doppel pipeline -c i/x"},
		{"measure", "printf '{\"id\":\"%s\",\"text\":\"a b c d e\"}\\n' \"$E\" > i/x; cat i/x i/x i/x | doppel measure --no-progress --id id"},
	} {
		trials = append(trials, trial{"hostile/terminal/" + e.name, func(r *room) error { return onTerminal(r, e.script, hostile) }})
	}
	return trials
}

// onTerminal runs a script with a terminal for output, by script(1).
func onTerminal(r *room, script, hostile string) error {
	if err := r.bring("few.jsonl"); err != nil {
		return err
	}
	if _, err := exec.LookPath("script"); err != nil {
		return notTried{why: err.Error()}
	}
	o := r.run(command{args: []string{"script", "-qec", script, "/dev/null"}, env: []string{"E=" + hostile, "SHELL=/bin/bash"}})
	if o.stdout == "" {
		return errors.New("nothing is written")
	}
	out := strings.ReplaceAll(o.stdout, "\r\n", "\n")
	if i := strings.IndexFunc(out, control); i >= 0 {
		return fmt.Errorf("control character on the terminal: %q", out[max(0, i-60):min(len(out), i+20)])
	}
	if i := strings.IndexByte(out, 0x9b); i >= 0 && !slices.Contains([]byte(out)[max(0, i-1):i], 0xc2) {
		return fmt.Errorf("a raw byte 0x9b on the terminal: %q", out[max(0, i-60):min(len(out), i+20)])
	}
	return nil
}
