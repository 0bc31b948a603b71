//go:build linux

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// A left is what an undisturbed run of a taker leaves of what people have.
type left struct {
	units map[string]bool
	took  time.Duration
}

// lost returns an error if a unit that should be left is not there.
func (u *left) lost(now map[string]bool) error {
	for unit := range u.units {
		if !now[unit] {
			return fmt.Errorf("lost: %s", excerpt(unit))
		}
	}
	return nil
}

// eachFile calls fn with the files below a directory of the room.
func (r *room) eachFile(dir string, fn func(name, data string)) {
	r.breaks(filepath.WalkDir(r.path(dir), func(name string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			data, rerr := os.ReadFile(name)
			fn(strings.TrimPrefix(name, r.dir), string(data))
			err = rerr
		}
		return err
	}))
}

// contents are the different contents of files, under whatever names.
func contents(r *room) map[string]bool {
	units := map[string]bool{}
	r.eachFile("i/tree", func(_, data string) { units[sum(data)] = true })
	return units
}

// namedContents are the names of files with their contents.
func namedContents(r *room) map[string]bool {
	units := map[string]bool{}
	r.eachFile("i/tree", func(name, data string) { units[name+" "+sum(data)] = true })
	return units
}

var unitOf = regexp.MustCompile("(?m)^X-Unit: .*$")

// messages are those that stand whole in any file: their heads and their ends.
func messages(r *room) map[string]bool {
	units := map[string]bool{}
	r.eachFile("i", func(_, data string) {
		for _, unit := range unitOf.FindAllString(data, -1) {
			if strings.Contains(data, strings.Replace(unit, "X-Unit: ", "end of ", 1)) {
				units[unit] = true
			}
		}
	})
	return units
}

// asides returns the names that a run gives to files while it takes copies out.
func (r *room) asides() (names []string) {
	r.eachFile("i", func(name, _ string) {
		if strings.Contains(name, "/.doppel-") || strings.HasSuffix(name, ".lock") {
			names = append(names, name)
		}
	})
	return names
}

// unlock removes the lock of the mbox, which a run that is killed leaves.
func (r *room) unlock() error {
	err := os.Remove(r.path("i/box.lock"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// mails returns n messages, of which every third has the text of the one before it.
func mails(r *rand.Rand, n int) (all []string) {
	text := ""
	for i := range n {
		if i%3 != 2 {
			text = sentence(r, 80)
		}
		all = append(all, fmt.Sprintf("From: a@example.org\nMessage-ID: <%d@example.org>\nX-Unit: unit%03d\n\n%s\nend of unit%03d\n", i, i, text, i))
	}
	return all
}

// makeMail writes the messages as an mbox and as a Maildir.
func makeMail(dir string, all []string) (err error) {
	for _, sub := range []string{"cur", "new", "tmp"} {
		err = errors.Join(err, os.MkdirAll(filepath.Join(dir, "maildir", sub), 0o777))
	}
	box := ""
	for i, text := range all {
		box += "From a@example.org Mon Jan  1 00:00:00 2024\n" + text + "\n"
		name := filepath.Join(dir, "maildir", []string{"cur", "new"}[i%2], fmt.Sprintf("1700000000.%d.host", i))
		err = errors.Join(err, os.WriteFile(name, []byte(text), 0o666))
	}
	return errors.Join(err, os.WriteFile(filepath.Join(dir, "box"), []byte(box), 0o666))
}
