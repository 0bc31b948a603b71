//go:build linux

package main

import (
	"errors"
	"fmt"
	"syscall"
)

// survived returns an error unless every file is the old one or the whole new
// one, all new if the status is 0, and nothing else is left. What was killed
// outright may leave hidden files, which the next run passes over.
func (j job) survived(r *room, u *undisturbed, o outcome, s syscall.Signal) error {
	err := errors.Join(j.whole(r, u, o, s == syscall.SIGKILL), r.only("o", j.files, s == syscall.SIGKILL))
	if err != nil || s != syscall.SIGKILL {
		return err
	}
	if err := r.run(j.command(r)).succeeded(); err != nil {
		return fmt.Errorf("the next run: %w", err)
	}
	return j.allNew(r, u)
}

// whole looks at the files of a job. Several of them are renamed together,
// unless the process that renames them is killed outright.
func (j job) whole(r *room, u *undisturbed, o outcome, apart bool) error {
	if o.status == 0 {
		return j.allNew(r, u)
	}
	fresh := 0
	for _, f := range j.files {
		switch now := r.read("o/" + f); {
		case sum(now) == u.sums[f]:
			fresh++
		case now != old && !(j.some && u.lacks(now, f, o)):
			return fmt.Errorf("status %d: %s is neither old nor whole: %s", o.status, f, excerpt(now))
		}
	}
	if fresh > 0 && fresh < len(j.files) && !apart {
		return fmt.Errorf("status %d: of %v %d are new and the others old", o.status, j.files, fresh)
	}
	return nil
}

// lacks tells whether a file is that of a run which left something out, and
// said so.
func (u *undisturbed) lacks(now, file string, o outcome) bool {
	return o.status == 2 && o.stderr != "" && len(now) <= u.sizes[file]
}

func (j job) allNew(r *room, u *undisturbed) error {
	for _, f := range j.files {
		if now := r.read("o/" + f); sum(now) != u.sums[f] {
			return fmt.Errorf("status 0, but %s is not what an undisturbed run writes: %s", f, excerpt(now))
		}
	}
	return nil
}
