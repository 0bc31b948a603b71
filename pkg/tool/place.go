package tool

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"doppel/pkg/files/durable"
	"doppel/pkg/msg"
)

// Several outputs are renamed one after the other, since no call renames more than one. The old
// file at a destination is kept beside it until the last output is in place, so that a failure
// can restore all of them. It is kept by a hard link, so that the destination always exists and
// gets the original file back. Exchanging two names would do the same, but only on Linux, and
// accepts a directory as a file.
//
// All files are synced before the first rename, and their directories after the last:
// whatever a power cut undoes, a destination has the whole old content or the whole new
// one.

// commitAll puts the files in place, or removes them all.
func (o *outputs) commitAll(err error) error {
	var files, done []*atomicFile
	for _, one := range o.all {
		if cerr := one.file.closeBeside(err, o.noSync); err == nil {
			err = cerr
		}
		if one.file != nil && one.file.beside != "" {
			files = append(files, one.file)
		}
	}
	for i, f := range files {
		if err == nil {
			err = f.commit(i < len(files)-1) // after the last, nothing can fail
		}
		if err != nil {
			f.remove()
			continue
		}
		done = append(done, f)
	}
	if err != nil { // restore the old files
		defer o.removeMade()
		var stay []string
		for _, f := range slices.Backward(done) {
			if f.rollback() != nil {
				stay = append(stay, f.name)
			}
		}
		if len(stay) > 0 {
			return msg.WithHint(err, "already replaced, and not restored: %s", strings.Join(stay, " "))
		}
		return err
	}
	dirs := make([]string, len(done))
	for i, f := range done {
		f.removeOld()
		dirs[i] = filepath.Dir(f.place)
	}
	for _, dir := range o.made {
		dirs = append(dirs, filepath.Dir(dir))
	}
	if o.noSync {
		return nil
	}
	if err := durable.SyncDirs(dirs); err != nil {
		return msg.WithHint(notSynced(err), "the outputs are complete, but a power cut may undo them")
	}
	return nil
}

// closeBeside names a file beside its destination, syncs it, and closes it; after an error it
// only closes it. A nil file is standard output, and stays open.
func (a *atomicFile) closeBeside(err error, noSync bool) error {
	if a == nil {
		return nil
	}
	if a.File == nil { // a stage wrote it, with any mode
		if err != nil || a.beside == "" {
			return err
		}
		if err = os.Chmod(a.beside, 0o600); err != nil {
			return err
		}
		if a.File, err = os.Open(a.beside); err != nil {
			return err
		}
	}
	if err == nil && a.beside != "" {
		err = a.nameAndSync(noSync)
	}
	if cerr := a.Close(); err == nil {
		err = cerr
	}
	return err
}

// nameAndSync gives the file its mode and its name beside the destination, and syncs it. A
// nameless file is written out first, so that a kill in that time leaves nothing; but it is
// synced under its name, since Btrfs does not log a nameless file.
func (a *atomicFile) nameAndSync(noSync bool) error {
	var mode os.FileMode
	if info, err := os.Stat(a.place); err == nil {
		mode = info.Mode().Perm()
	} else { // reading the umask means setting it; no other goroutine creates files now
		mask := syscall.Umask(0)
		syscall.Umask(mask)
		mode = os.FileMode(0o666 &^ mask)
	}
	if err := a.Chmod(mode); err != nil {
		return err
	}
	if a.nameless {
		if !noSync {
			writeOut(a.File)
		}
		if err := link(a.File, a.beside); err != nil {
			return err
		}
	}
	if noSync {
		return nil
	}
	err := durable.Sync(a.File)
	if p := (*os.PathError)(nil); errors.As(err, &p) {
		p.Path = a.name
	}
	return notSynced(err)
}

// notSynced returns a sync error that names the file.
func notSynced(err error) error {
	if p := (*os.PathError)(nil); errors.As(err, &p) {
		return fmt.Errorf("%s: cannot be synced: %w", p.Path, p.Err)
	}
	return err
}

// commit renames the file to its destination. If keep is set, the old file can be restored.
func (a *atomicFile) commit(keep bool) error {
	if info, err := os.Lstat(a.place); err == nil && info.IsDir() {
		return &os.PathError{Op: "open", Path: a.name, Err: syscall.EISDIR}
	}
	if keep {
		if err := a.keepOld(os.Link); err != nil {
			return err
		}
	}
	err := os.Rename(a.beside, a.place)
	if err != nil && a.kept != "" && os.Rename(a.kept, a.place) == nil {
		a.removeOld() // renaming between two links of one file does nothing
	}
	return err
}

// keepOld gives the old file a second name by a link, or renames it if the file system has no
// links.
func (a *atomicFile) keepOld(link func(old, new string) error) error {
	kept := a.beside + ".old"
	err := link(a.place, kept)
	if err != nil && !os.IsNotExist(err) {
		err = os.Rename(a.place, kept)
	}
	switch {
	case err == nil:
		a.kept = kept
	case os.IsNotExist(err):
		err = nil // no old file
	}
	return err
}

// rollback restores the old file.
func (a *atomicFile) rollback() error {
	if a.kept == "" {
		return os.Remove(a.place)
	}
	return os.Rename(a.kept, a.place)
}

// removeOld removes the old file.
func (a *atomicFile) removeOld() {
	if a.kept != "" {
		os.Remove(a.kept)
	}
}
