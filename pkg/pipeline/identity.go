package pipeline

import (
	"errors"
	"fmt"
	"os"
	"time"
)

// An identity is what tells that a file is still the one that was read.
type identity struct {
	name  string
	info  os.FileInfo
	size  int64
	mtime time.Time
}

// identities returns those of the files among some data.
func identities(data []Word) (all []identity) {
	for _, w := range data {
		if w.scratch != nil {
			continue
		}
		if info, err := os.Stat(w.text); err == nil {
			all = append(all, identity{w.text, info, info.Size(), info.ModTime()})
		}
	}
	return all
}

// missing returns an error if a file is not there: told once, before several stages
// tell it.
func missing(data []Word) error {
	for _, w := range data {
		if w.scratch != nil || w.text == stdin {
			continue
		}
		if _, err := os.Stat(w.text); err != nil {
			return &os.PathError{Op: "open", Path: w.text, Err: errors.Unwrap(err)}
		}
	}
	return nil
}

// unchanged returns an error if a file is another one, or has changed. A chain
// reads its data more than once, and decisions are good for what was read first.
func unchanged(all []identity) error {
	for _, before := range all {
		now, err := os.Stat(before.name)
		if err != nil {
			return err
		}
		if !os.SameFile(before.info, now) || now.Size() != before.size || !now.ModTime().Equal(before.mtime) {
			return fmt.Errorf("%s: changed while it was read", before.name)
		}
	}
	return nil
}
