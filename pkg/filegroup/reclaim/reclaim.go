// Package reclaim frees what copies of a file waste: it removes them, or makes them
// hard links to the one that stays.
//
// Nothing is believed that was found before. Both files are opened, locked and
// compared byte by byte, and only then is a name given up, in a way that can be taken
// back:
//
//  1. The file that stays is opened, locked (flock, shared) and brought to disk
//     with its name, so that a power cut does not leave neither. The copy is opened and locked
//     (exclusive), so that two processes never remove each other's.
//  2. Where the system has leases, Linux for files of one's own, a lease on each
//     tells of programs that have it open for writing, or open it from then on.
//  3. All bytes are compared; sizes and times are the same before and after.
//  4. To remove: the name of the copy is renamed to one beside it. What is there now is
//     looked at: if it is not the file that was compared, it gets its name back. If the
//     file that stays is still in its place too, and was not renamed with the copy (as
//     where one is a view of the other by overlayfs), the copy is unlinked.
//     To link: a link to the file that stays is made beside the copy, and the two
//     names are exchanged in one step. What is out now is looked at likewise.
//
// So a process that is killed at any moment leaves every name with its old content,
// or the name of a copy that was taken aside, begun with [filegroup.Aside], with the
// same. Where names cannot be exchanged (NFS, FAT), the name is looked at right
// before it is replaced.
package reclaim

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"

	"doppel/pkg/filegroup"
	"doppel/pkg/files"
	"doppel/pkg/files/durable"

	"golang.org/x/sys/unix"
)

// A Way is what becomes of copies.
type Way string

// The ways.
const (
	Remove Way = "rm"
	Link   Way = "link"
)

// Errors of files that are left alone.
var (
	errDiffers = errors.New("is not equal")
	errWritten = errors.New("is open for writing")
	errLocked  = errors.New("is locked by another program")
	errOwner   = errors.New("has another owner or mode")
	errAppend  = errors.New("its directory is append-only")
	errAlias   = errors.New("may be the same file, through another file system,")
)

// A Reclaimer acts on copies.
type Reclaimer struct {
	Way    Way
	Report func(error)                          // is told of files that are left alone
	Done   func(kept, name []byte) error        // is told of each name that was given up
	Whole  func(step func())                    // runs a step that must not be left half done; nil: as it is
	hook   func(when moment, kept, name []byte) // of tests
	freed  int64
	synced map[string]bool // directories whose names are on disk
}

// A moment is one at which a test may meddle.
type moment int

const (
	compared moment = iota // nothing is done yet
	aside                  // the name is given up, the file is there yet
)

// Freed returns how many bytes were freed: those of files whose last name went.
func (r *Reclaimer) Freed() int64 { return r.freed }

// Group acts on copies of a file. Trouble with a file is reported, and the file is as
// it was; an error is one of Done.
func (r *Reclaimer) Group(kept *filegroup.Member, copies []*filegroup.Member) error {
	k, err := open(kept, unix.LOCK_SH)
	if err != nil {
		r.Report(err)
		return nil
	}
	defer k.Close()
	if err := r.sync(k); err != nil {
		r.Report(k.fail(err))
		return nil
	}
	// A process that was killed before it could exchange names left further links to the
	// file that stays. If that has such a name itself, all of them stay: two may be one
	// name, through two mounts of a directory.
	for _, name := range kept.Others {
		info, err := files.Stat(name, files.Refuse)
		if filegroup.IsAside(k.name) || !filegroup.IsAside(name) || err != nil || !k.is(&info) || k.inPlace() != nil {
			continue
		}
		if err := unlink(string(name)); err != nil {
			r.Report(err)
		}
	}
	for _, c := range copies {
		if err := r.copy(k, c); err != nil {
			return err
		}
	}
	return nil
}

// sync brings the file that stays to disk, and its name, which the run does not change:
// so each directory once. A file system that cannot sync a file that is open for reading
// has nothing to bring.
func (r *Reclaimer) sync(k *lockedFile) error {
	if err := unix.Fsync(k.Fd()); err != nil && err != unix.EINVAL && err != unix.EROFS {
		return err
	}
	dir := filepath.Dir(string(k.name))
	if r.synced[dir] {
		return nil
	}
	if err := durable.SyncDir(dir); err != nil {
		return err
	}
	if r.synced == nil {
		r.synced = map[string]bool{}
	}
	r.synced[dir] = true
	return nil
}

// copy acts on one copy, under all its names.
func (r *Reclaimer) copy(k *lockedFile, m *filegroup.Member) error {
	c, err := open(m, unix.LOCK_EX)
	if err != nil {
		r.Report(err)
		return nil
	}
	defer c.Close()
	switch {
	case r.Way == Link && (k.Mode != c.Mode || k.UID != c.UID || k.GID != c.GID):
		err = c.fail(fmt.Errorf("%w than %s", errOwner, k.name))
	case r.Way == Link && k.Dev != c.Dev:
		err = c.fail(fmt.Errorf("is on another file system than %s", k.name))
	default:
		err = equal(k, c)
	}
	if err != nil {
		r.Report(err)
		return nil
	}
	for i, name := range append([][]byte{m.Name}, m.Others...) {
		if i > 0 && bytes.Equal(name, m.Name) {
			continue // an operand was named twice
		}
		r.meddle(compared, k, name)
		var gone bool
		give := func() { gone, err = r.give(k, c, name) }
		if r.Whole != nil {
			r.Whole(give)
		} else {
			give()
		}
		if err != nil {
			r.tell(err)
			continue
		}
		if gone {
			if err := r.Done(k.name, name); err != nil {
				return err
			}
		}
	}
	if now, err := c.Stat(); err == nil && now.Links == 0 {
		r.freed += now.Size
	}
	return nil
}

// give gives up one name of a copy. It reports whether there was such a name: it may
// be one that was given up already, written otherwise.
func (r *Reclaimer) give(k, c *lockedFile, name []byte) (bool, error) {
	info, err := files.Stat(name, files.Refuse)
	switch {
	case err != nil && string(name) != string(c.name):
		return false, nil
	case err != nil:
		return false, err
	case info.Ino == k.Ino && info.Dev == k.Dev && string(name) != string(c.name):
		return false, nil
	case !c.is(&info):
		return false, &files.Error{Name: string(name), Err: files.ErrChanged}
	}
	if err := c.unchanged(); err != nil {
		return false, err
	}
	if err := k.inPlace(); err != nil {
		return false, err
	}
	if r.Way == Link && !filegroup.IsAside(name) {
		return true, r.link(k, c, string(name))
	}
	return true, r.remove(k, c, string(name))
}

// tell reports an error, or each of several.
func (r *Reclaimer) tell(err error) {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range several.Unwrap() {
			r.tell(one)
		}
		return
	}
	r.Report(err)
}

func (r *Reclaimer) meddle(when moment, k *lockedFile, name []byte) {
	if r.hook != nil {
		r.hook(when, k.name, name)
	}
}
