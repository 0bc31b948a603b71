//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
)

// A traceback is what Go writes when a program dies of a fault of its own.
var traceback = regexp.MustCompile(`(?m)^(panic: |fatal error: |goroutine \d+ |SIG[A-Z]+: |runtime: )|\[signal SIG`)

// clean returns how a run broke the rules that hold for every run: it ends by
// itself, within memory, without a traceback, with a status that a page names,
// leaves no process, and sends no control character to the terminal of who
// reads its messages.
func (o outcome) clean() error {
	var err error
	switch {
	case o.hung:
		err = errors.New("hangs")
	case o.bloated:
		err = fmt.Errorf("takes more memory than it may: %d MiB", o.peak)
	case o.status > 2 && o.status < 124:
		err = fmt.Errorf("status %d", o.status)
	}
	if line := traceback.FindString(o.stderr); line != "" && !o.ofRuntime() {
		err = errors.Join(err, fmt.Errorf("traceback: %s", firstLines(o.stderr[strings.Index(o.stderr, line):], 3)))
	}
	if i := strings.IndexFunc(o.stderr, control); i >= 0 {
		err = errors.Join(err, fmt.Errorf("control character in a message: %q", o.stderr[max(0, i-40):min(len(o.stderr), i+20)]))
	}
	if len(o.left) > 0 {
		err = errors.Join(err, fmt.Errorf("processes left: %v", o.left))
	}
	return err
}

// ofRuntime tells whether a system call failed that Go's runtime makes for
// itself, to wake a thread. It gives up then, and no tool can help it.
func (o outcome) ofRuntime() bool { return strings.Contains(o.stderr, "netpollBreak") }

// control tells what may do something to a terminal.
func control(c rune) bool {
	return c < ' ' && c != '\n' && c != '\t' || c == 0x7f || c >= 0x80 && c < 0xa0
}

func firstLines(s string, n int) string {
	lines := strings.SplitN(s, "\n", n+1)
	return strings.Join(lines[:min(n, len(lines))], " / ")
}

// succeeded returns an error unless the status is 0.
func (o outcome) succeeded() error {
	if o.status != 0 {
		return fmt.Errorf("status %d: %s", o.status, firstLines(o.stderr, 2))
	}
	return nil
}

// wants returns how an outcome differs from a status and an output.
func (o outcome) wants(status int, stdout string) error {
	if o.status != status {
		return fmt.Errorf("status %d, not %d: %s", o.status, status, firstLines(o.stderr, 2))
	}
	if o.stdout != stdout {
		return fmt.Errorf("output %s, not %s", excerpt(o.stdout), excerpt(stdout))
	}
	return nil
}

// tells returns an error unless a run with which others are compared ended well and
// wrote something, into a file if not to standard output.
func (o outcome) tells(file string) error {
	err := o.succeeded()
	if err == nil && o.stdout == "" && (file == "" || strings.HasPrefix(file, absent)) {
		err = errors.New("nothing is written")
	}
	if err != nil {
		return fmt.Errorf("undisturbed: %w", err)
	}
	return nil
}

// refuses returns an error unless the run ended with 2 and a message that has
// all the words.
func (o outcome) refuses(words ...string) error {
	if o.status != 2 {
		return fmt.Errorf("status %d, not 2; output %s", o.status, excerpt(o.stdout))
	}
	for _, word := range words {
		if !strings.Contains(o.stderr, word) {
			return fmt.Errorf("message without %q: %s", word, firstLines(o.stderr, 2))
		}
	}
	return nil
}

// hidden is the name of a file that is being written: that of the output behind
// a number between dots.
var hidden = regexp.MustCompile(`^\.\d+\..+$`)

// only returns an error if a directory holds anything but the files, and
// hidden ones where those may be.
func (r *room) only(dir string, files []string, hiddenToo bool) error {
	for _, name := range r.names(dir) {
		if !slices.Contains(files, name) && !(hiddenToo && hidden.MatchString(name)) {
			return fmt.Errorf("left in %s: %q", dir, name)
		}
	}
	return nil
}

func (r *room) names(dir string) (names []string) {
	entries, _ := os.ReadDir(r.path(dir))
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func excerpt(s string) string {
	if len(s) > 200 {
		return fmt.Sprintf("%q… of %d bytes", s[:200], len(s))
	}
	return fmt.Sprintf("%q", s)
}
