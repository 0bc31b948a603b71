// Package reclaim frees the disk space of copies of a file: it removes them, replaces them with
// hard links to the kept file, or lets them share the kept file's blocks.
//
// Earlier comparisons are not trusted. Before a name is removed, both files are opened, locked and
// compared byte by byte. Each step except the last can be undone:
//
//  1. The kept file is opened, locked (shared flock) and synced to disk with its directory, so that
//     a power failure cannot lose both files. The copy is opened and locked (exclusive flock), so
//     that two processes cannot remove each other's kept files.
//  2. Where the system has leases (Linux, for files of the same user), a lease on each file detects
//     programs that have the file open for writing or open it for writing later.
//  3. All bytes are compared; sizes and times must be the same before and after.
//  4. To remove a name, the copy is renamed to a temporary name in its directory and checked again.
//     If it is not the file that was compared, it is renamed back. If the kept file is still in
//     place, and was not renamed with the copy (as happens if one is an overlayfs view of the
//     other), the copy is unlinked. To link a name, a link to the kept file is created in the
//     copy's directory, and the two names are exchanged in one step. The replaced file is checked
//     in the same way before it is unlinked.
//
// So if the process is killed before the last step, each name has its old content, or the copy has
// a temporary name, which starts with [filegroup.Aside]. Where names cannot be exchanged (NFS,
// FAT), the copy is checked right before a link replaces it.
//
// Hard links share owner, mode and extended attributes, such as access lists and capabilities. So a
// copy is linked only if all of these are equal. Only times are lost: the copy's name then has those
// of the kept file.
//
// To share blocks, the kernel compares the files again and changes nothing but the blocks
// (FIDEDUPERANGE). All names, times and attributes of the copy remain.
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

// A Way says what to do with copies.
type Way string

// The ways.
const (
	Remove  Way = "rm"
	Link    Way = "link"
	Reflink Way = "reflink"
)

// Reasons for leaving a file unchanged.
var (
	errDiffers = errors.New("differs from")
	errWritten = errors.New("is open for writing")
	errLocked  = errors.New("is locked by another program")
	errOwner   = errors.New("has a different owner or mode")
	errAttrs   = errors.New("has different extended attributes (such as an access list or capabilities)")
	errDevice  = errors.New("is on a different file system")
	errAppend  = errors.New("its directory is append-only")
	errAlias   = errors.New("may be, through another file system, the same file")
)

// A Reclaimer removes copies, or replaces them with links.
type Reclaimer struct {
	Way    Way
	Report func(error) // called for each file left unchanged
	// Log is called for each name just before the removed or replaced file is unlinked, and for each
	// copy that now shares its blocks. If it returns an error, the name is restored, and the run ends.
	Log func(kept, name []byte) error
	// Whole calls step and delays signals until step returns. If Whole is nil, step is called
	// directly.
	Whole  func(step func())
	hook   func(when moment, kept, name []byte) // set by tests; called at each of the moments below
	linkAs func(old, new string) error          // creates a hard link; nil means link(2)
	freed  int64
	names  int64           // number of names removed or replaced, or of copies that share blocks
	synced map[string]bool // directories already synced to disk
}

// A moment is a point in the work on a copy at which a test may change files.
type moment int

const (
	compared moment = iota // the files have been compared, and nothing has been changed yet
	aside                  // the name has been removed or replaced, and the copy has a temporary name
)

// Freed returns the number of bytes freed. A copy counts only if its last name was removed, and its
// holes do not count.
func (r *Reclaimer) Freed() int64 { return r.freed }

// Names returns the number of names removed or replaced, or of copies that share their blocks.
func (r *Reclaimer) Names() int64 { return r.names }

// Group removes or links the copies of a kept file. If a file cannot be processed, Group reports
// its error and leaves it unchanged. The only errors that Group returns are those from Log.
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
	// Remove temporary links to the kept file. A process that was killed before it exchanged two
	// names may have left such links. If the kept file's own name is temporary, leave all links,
	// because two names may be the same directory entry, seen through two mounts.
	for _, name := range kept.Others {
		info, err := files.Stat(name, files.Refuse)
		if filegroup.IsAside(k.name) || !filegroup.IsAside(name) || err != nil || !k.matches(&info) || k.inPlace() != nil {
			continue
		}
		if err := unlink(string(name)); err != nil {
			r.Report(err)
		}
	}
	for i, c := range copies {
		err := r.copy(k, c)
		if errors.Is(err, unix.EMLINK) { // the kept file has as many links as it can have
			r.Report(&files.Error{Name: string(c.Name), Err: fmt.Errorf("left alone: %s cannot have more links", kept.Name)})
			return r.Group(c, copies[i+1:])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// sync syncs the kept file and its directory to disk. Each directory is synced only once, because
// the run does not change names of kept files. EINVAL and EROFS are ignored, because they mean that
// the file system does not support syncing or is read-only.
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

// copy removes or replaces all names of one copy. It returns EMLINK, and has changed nothing, if the
// kept file cannot have a further link.
func (r *Reclaimer) copy(k *lockedFile, m *filegroup.Member) error {
	c, err := open(m, unix.LOCK_EX)
	if err != nil {
		r.Report(err)
		return nil
	}
	defer c.Close()
	if r.Way == Link {
		err = linkable(k, c)
	}
	if err == nil {
		err = equal(k, c)
	}
	if err != nil {
		r.Report(err)
		return nil
	}
	if r.Way == Reflink {
		r.hold(func() { err = r.share(k, c) })
		return logged(err)
	}
	for i, name := range append([][]byte{m.Name}, m.Others...) {
		if i > 0 && bytes.Equal(name, m.Name) {
			continue // the same name was given twice
		}
		r.callHook(compared, k, name)
		r.hold(func() { err = r.reclaimName(k, c, name) })
		if errors.Is(err, unix.EMLINK) && i == 0 {
			return unix.EMLINK
		}
		r.reportEach(err)
		if err := logged(err); err != nil {
			return err
		}
	}
	if now, err := c.Stat(); err == nil && now.Links == 0 {
		r.freed += min(now.Size, c.Allocated)
	}
	return nil
}

// A logError is an error returned by Reclaimer.Log.
type logError struct{ error }

// logged returns the error of Reclaimer.Log that err has, or nil.
func logged(err error) error {
	if failed, ok := errors.AsType[*logError](err); ok {
		return failed.error
	}
	return nil
}

func (r *Reclaimer) log(k *lockedFile, name []byte) error {
	if err := r.Log(k.name, name); err != nil {
		return &logError{err}
	}
	r.names++
	return nil
}

// hold runs a step and delays signals meanwhile.
func (r *Reclaimer) hold(step func()) {
	if r.Whole != nil {
		r.Whole(step)
	} else {
		step()
	}
}

// reclaimName removes or replaces one name of a copy. It does nothing if the name is another
// spelling of a name already removed or replaced.
func (r *Reclaimer) reclaimName(k, c *lockedFile, name []byte) error {
	info, err := files.Stat(name, files.Refuse)
	switch {
	case err != nil && string(name) != string(c.name):
		return nil
	case err != nil:
		return err
	case info.Ino == k.Ino && info.Dev == k.Dev && string(name) != string(c.name):
		return nil
	case !c.matches(&info):
		return &files.Error{Name: string(name), Err: files.ErrChanged}
	}
	if err := c.unchanged(); err != nil {
		return err
	}
	if err := k.inPlace(); err != nil {
		return err
	}
	if r.Way == Link && !filegroup.IsAside(name) {
		return r.link(k, c, string(name))
	}
	return r.remove(k, c, string(name))
}

// reportEach reports an error, or each of several joined errors, except those of Log.
func (r *Reclaimer) reportEach(err error) {
	if _, ok := err.(*logError); ok || err == nil {
		return
	}
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range several.Unwrap() {
			r.reportEach(one)
		}
		return
	}
	r.Report(err)
}

func (r *Reclaimer) callHook(when moment, k *lockedFile, name []byte) {
	if r.hook != nil {
		r.hook(when, k.name, name)
	}
}
